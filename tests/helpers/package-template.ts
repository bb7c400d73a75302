import type { TestProject } from 'vitest/node';
import { packageService } from '../../local/engines/serverless.ts';
import { createTestDir } from './test-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory that `serverless package --stage local` filled for this run, with empty functions. */
    packageDir: string;
  }
}

type Package = Awaited<ReturnType<typeof createPackage>>;

// Each vitest project loads this file separately, so they share the package through a global.
const shared = globalThis as { [key: symbol]: Promise<Package> | undefined };
const key = Symbol.for('click-tally.package');

/** Packages the template once per run for all vitest projects, and removes the package at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  shared[key] ??= createPackage(project);
  const { dir, remove } = await shared[key];
  project.provide('packageDir', dir);
  // All projects end together.
  return remove;
}

async function createPackage(project: TestProject) {
  await using cleanup = new AsyncDisposableStack();
  const { path: outDir } = cleanup.use(await createTestDir());
  const fill = async () => {
    await packageService({ stage: 'local', outDir, isEmpty: true });
  };
  await fill();
  project.onTestsRerun(fill);
  const created = cleanup.move();
  return { dir: outDir, remove: () => created.disposeAsync() };
}
