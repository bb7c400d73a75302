import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { packageService } from '../../local/engines/serverless.ts';
import { readTemplate } from '../../local/engines/template.ts';

/** The aggregator's entry, relative to the project and without an extension. */
export const aggregatorEntry = 'functions/aggregate-clicks';

/** The aggregator as deployed: minified, in one file. */
export interface PackagedAggregator {
  bundle: string;
  /** Bytes. */
  size: number;
  /** Its variables, with fake credentials. */
  environment: Record<string, string>;
}

/**
 * Packages the service into `dir` and unpacks the aggregator there.
 * @throws Error if the package has no aggregator.
 */
export async function packageAggregator(dir: string): Promise<PackagedAggregator> {
  await packageService({ stage: 'local', outDir: dir });
  const archive = unzipSync(await readFile(path.join(dir, 'aggregateClicks.zip')));
  const code = archive[`${aggregatorEntry}.mjs`];
  if (!code) throw new Error(`Expected ${aggregatorEntry}.mjs in the package; it is not there.`);
  const bundle = path.join(dir, 'aggregate-clicks.mjs');
  await writeFile(bundle, code);
  const service = readPackagedService(await readTemplate(dir));
  const environment = {
    ...service.environment,
    TABLE_NAME: 'click-tally-init',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  return { bundle, size: code.length, environment };
}

interface ScriptOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  execArgv?: string[];
}

/**
 * Runs a script on the bundle in a separate process, whose output is discarded.
 * @returns the last message that the script sends.
 * @throws Error if the script fails.
 */
export async function runOnBundle(
  script: string,
  { bundle }: Pick<PackagedAggregator, 'bundle'>,
  { env, signal, execArgv = [] }: ScriptOptions,
): Promise<unknown> {
  const child = fork(script, [bundle], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...{ env, execArgv, signal },
  });
  let result: unknown;
  child.on('message', (message) => {
    result = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${path.basename(script)} exited with code ${code}.`);
  return result;
}
