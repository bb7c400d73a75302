import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
const root = new URL('../../../', import.meta.url);
const read = (name) => readFile(new URL(name, root), 'utf8');
const readLocked = async (folder) => JSON.parse(await read(`${folder}package-lock.json`)).packages;
const { allowScripts } = JSON.parse(await read('package.json'));
const packages = await readLocked('');
const locked = [packages, await readLocked('proofs/'), await readLocked('site/')]
    .flatMap((found) => Object.entries(found))
    .filter(([place, { link }]) => place.includes('node_modules/') && !link);
const namesOf = (isWanted) => locked
    .filter(([, found]) => isWanted(found))
    .map(([place]) => place.replace(/.*node_modules./, ''));
test("the lock files' packages have a hash, come from the registry, and run only listed install scripts", async () => {
    const registry = 'https://registry.npmjs.org/';
    expect(locked.length).toBeGreaterThan(500);
    const isUnchecked = ({ integrity = '', inBundle }) => !inBundle && !/^sha512-.{86}==$/.test(integrity);
    expect(namesOf(isUnchecked)).toEqual([]);
    const isElsewhere = ({ resolved = registry, version }) => !resolved.startsWith(registry) || !version;
    expect(namesOf(isElsewhere)).toEqual([]);
    const scripts = namesOf(({ hasInstallScript }) => hasInstallScript === true);
    expect([...new Set(scripts)].toSorted()).toEqual(Object.keys(allowScripts).toSorted());
    for (const settings of ['.npmrc', 'proofs/.npmrc', 'site/.npmrc']) {
        expect(await read(settings)).toMatch(/^strict-allow-scripts=true$/m);
    }
});
