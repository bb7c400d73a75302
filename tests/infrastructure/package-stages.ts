import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageService } from '../../local/engines/serverless.ts';

/** The stages that are deployed; `local` is packaged for all tests by tests/helpers. */
export const DEPLOYED_STAGES = ['dev', 'staging', 'prod'] as const;

declare module 'vitest' {
  interface ProvidedContext {
    /** By stage: where `serverless package` wrote, and what it said. */
    stagePackages: Record<string, { dir: string; output: string }>;
  }
}

/** Packages the deployed stages side by side, once per run, and removes the packages after. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(path.join(tmpdir(), 'click-tally-stages-'));
  const remove = () => rm(root, { recursive: true, force: true });
  const packageStage = async (stage: string) => {
    const dir = path.join(root, stage);
    return [stage, { dir, output: await packageService({ stage, outDir: dir }) }] as const;
  };
  try {
    const packages = await Promise.all(DEPLOYED_STAGES.map(packageStage));
    project.provide('stagePackages', Object.fromEntries(packages));
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}
