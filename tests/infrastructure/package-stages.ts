import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageService } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';

/** The deployed stages; tests/helpers packages `local` for all tests. */
export const deployedStages = ['dev', 'staging', 'prod'] as const;

declare module 'vitest' {
  interface ProvidedContext {
    /** By stage: the directory that `serverless package` filled, and what it printed. */
    stagePackages: Record<string, { dir: string; output: string }>;
  }
}

/** Packages the deployed stages side by side, once per run, and removes the packages after. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const root = cleanup.use(await createTestDir());
  const packageStage = async (stage: string) => {
    const dir = path.join(root.path, stage);
    return [stage, { dir, output: await packageService({ stage, outDir: dir }) }] as const;
  };
  const packages = await Promise.all(deployedStages.map(packageStage));
  project.provide('stagePackages', Object.fromEntries(packages));
  const created = cleanup.move();
  return () => created.disposeAsync();
}
