import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageService } from '../../local/engines/serverless.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory that `serverless package --stage local` filled for this run. */
    packageDir: string;
  }
}

interface Package {
  dir: string;
  users: number;
}

// Each vitest project loads this file by itself, so they share the package through a global.
const shared = globalThis as { [key: symbol]: Promise<Package> | undefined };
const key = Symbol.for('click-tally.package');

/** Packages the service once per run for all vitest projects and removes the package at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  shared[key] ??= createPackage(project);
  const created = await shared[key];
  created.users += 1;
  project.provide('packageDir', created.dir);
  return async () => {
    created.users -= 1;
    if (created.users === 0) await remove(created.dir);
  };
}

async function createPackage(project: TestProject): Promise<Package> {
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-package-'));
  const fill = async () => {
    await packageService({ stage: 'local', outDir: dir });
  };
  try {
    await fill();
  } catch (error) {
    await remove(dir);
    throw error;
  }
  project.onTestsRerun(fill);
  return { dir, users: 0 };
}

function remove(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true });
}
