import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Locked {
  version?: string;
  integrity?: string;
  /** Absent for the registry that npm is set to; where else it comes from otherwise. */
  resolved?: string;
  /** It is part of its parent's tarball. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFile(new URL(name, root), 'utf8');

const manifest: { dependencies: Record<string, string>; allowScripts: Record<string, boolean> } =
  JSON.parse(await read('package.json'));
const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  await read('package-lock.json'),
);
const locked = Object.entries(packages).filter(([place]) => place !== '');
const namesOf = (found: [string, Locked][]) =>
  found.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));

describe('the packages of package-lock.json', () => {
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

test('Dependabot looks for new packages and actions each week, and updates Powertools as one', async () => {
  const { updates } = parse(await read('.github/dependabot.yml'));

  expect(updates).toMatchObject([
    {
      ...{ 'package-ecosystem': 'npm', directory: '/', schedule: { interval: 'weekly' } },
      groups: { powertools: { patterns: ['@aws-lambda-powertools/*'] } },
    },
    { 'package-ecosystem': 'github-actions', directory: '/', schedule: { interval: 'weekly' } },
  ]);
});
