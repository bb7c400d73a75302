import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { packageService, type ServiceParams } from '../../local/engines/serverless.ts';
import { readTemplate } from '../../local/engines/template.ts';

/** A function as deployed: minified, and with its chunks beside it. */
export interface PackagedFunction {
  /** The file to import. */
  bundle: string;
  /** Bytes of all files. */
  size: number;
  /** The aggregator's variables, with fake credentials. */
  environment: Record<string, string>;
}

/**
 * Packages the service into `dir` and unpacks these functions there.
 * @throws Error if the package lacks one.
 */
export async function packageFunctions(
  dir: string,
  ids: readonly string[],
  stage = 'local',
  params: ServiceParams = {},
): Promise<PackagedFunction[]> {
  await packageService({ stage, outDir: dir, params });
  const service = readPackagedService(await readTemplate(dir));
  const environment = {
    ...service.environment,
    TABLE_NAME: 'click-tally-init',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  const unpack = async (id: string) => {
    const files = Object.entries(unzipSync(await readFile(path.join(dir, `${id}.zip`))));
    const names = await Promise.all(
      files.map(async ([name, code]) => {
        const file = path.join(dir, path.basename(name));
        await writeFile(file, code);
        return file;
      }),
    );
    // A chunk's name has a hash.
    const [bundle = ''] = names.filter((file) => path.basename(file).split('.').length === 2);
    return { bundle, size: files.reduce((sum, [, { length }]) => sum + length, 0), environment };
  };
  return Promise.all(ids.map(unpack));
}

interface ScriptOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  execArgv?: string[];
  args?: string[];
}

/**
 * Runs a script on the bundle in a separate process, whose output is discarded.
 * @returns the last message that the script sends.
 * @throws Error if the script fails.
 */
export async function runOnBundle(
  script: string,
  { bundle }: Pick<PackagedFunction, 'bundle'>,
  { env, signal, execArgv = [], args = [] }: ScriptOptions,
): Promise<unknown> {
  const child = fork(script, [bundle, ...args], {
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
