import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import type { TestProject } from 'vitest/node';
import { packageService, type ServiceParams } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';

/** tests/helpers packages `local`. */
export const deployedStages = ['dev', 'staging', 'prod'] as const;

/** Some stages require an e-mail address, which isn't in the repository. */
export const common = { alarmEmail: 'alarms@example.com' };

export const withDomain = {
  domainName: 'go.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111',
};

export const edgeCertificateArn = withDomain.certificateArn.replace(/\d$/, '2');

export const backups = {
  backupDays: 35,
  backupCopyVaultArn: 'arn:aws:backup:us-east-1:210987654321:backup-vault:copies',
};

/** Stages with other params. */
export const variants = {
  'prod-with-edge': {
    stage: 'prod',
    params: {
      edge: 'cloudfront',
      ...withDomain,
      permissionsBoundary: 'deploy-click-tally-prod',
      clicksVia: 'queue',
      clickQueues: 4,
      billing: 'provisioned',
      dashboard: 'true',
    },
  },
  'prod-with-standby': {
    stage: 'prod',
    params: {
      edge: 'cloudfront',
      standbyRegion: 'us-west-2',
      standbyApiHost: 'standby.execute-api.us-west-2.amazonaws.com',
      dashboard: 'true',
      queueRetentionSeconds: 86_400,
      deadLetterRetentionSeconds: 259_200,
      visibilityTimeoutSeconds: 600,
    },
  },
  'dev-with-both': {
    stage: 'dev',
    params: { edge: 'both', ...withDomain, edgeCertificateArn, ...backups },
  },
} as const satisfies Record<string, { stage: string; params: ServiceParams }>;

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory and the output of `serverless package`, by stage or variant. */
    stagePackages: Record<string, { dir: string; output: string }>;
  }
}

type Packages = Awaited<ReturnType<typeof packageStages>>;

// Each vitest project loads this file separately, so they share the packages through a global.
const shared = globalThis as { [key: symbol]: Promise<Packages> | undefined };
const key = Symbol.for('click-tally.stage-packages');

/**
 * Packages the deployed stages and the variants once per run, and removes the packages at the end. Only
 * dev's has the code, and only for the tests of bundles, because bundling takes longer than all the rest.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  shared[key] ??= packageStages(project.name === 'infrastructure');
  const { packages, remove } = await shared[key];
  project.provide('stagePackages', packages);
  // All projects end together.
  return remove;
}

async function packageStages(hasCode: boolean) {
  await using cleanup = new AsyncDisposableStack();
  const root = cleanup.use(await createTestDir());
  const runs = [
    ...deployedStages.map((stage) => ({ name: stage, stage, params: {} })),
    ...Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
  ];
  const packageAs = async ({ name, stage, params }: (typeof runs)[number]) => {
    const dir = path.join(root.path, name);
    const all = { ...common, ...params };
    const isEmpty = !hasCode || name !== 'dev';
    const output = await packageService({ stage, outDir: dir, params: all, isEmpty });
    return [name, { dir, output }] as const;
  };
  // The framework keeps a core busy.
  const packages = await pLimit(availableParallelism()).map(runs, packageAs);
  const created = cleanup.move();
  return { packages: Object.fromEntries(packages), remove: () => created.disposeAsync() };
}
