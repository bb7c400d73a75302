import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

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

const { allowScripts } = JSON.parse(await read('package.json'));
const packages = await readLocked('');
const locked = [packages, await readLocked('proofs/'), await readLocked('site/')]
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
  expect([...new Set(scripts)].toSorted()).toEqual(Object.keys(allowScripts).toSorted());
  for (const settings of ['.npmrc', 'proofs/.npmrc', 'site/.npmrc']) {
    expect(await read(settings)).toMatch(/^strict-allow-scripts=true$/m);
  }
});
