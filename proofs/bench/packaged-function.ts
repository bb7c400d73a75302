import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { packageService } from '../../local/engines/serverless.ts';
import { readTemplate } from '../../local/engines/template.ts';

/** A function as deployed: minified, and with its chunks beside it. */
export interface PackagedFunction {
  /** The file to import. */
  bundle: string;
  /** Bytes of all files. */
  size: number;
}

/** Packages the service into `dir`, unpacks this function there, and reads the aggregator's variables. */
export async function packageFunction(dir: string, id: string) {
  await packageService({ stage: 'local', outDir: dir });
  const { environment } = readPackagedService(await readTemplate(dir));
  const files = Object.entries(unzipSync(await readFile(path.join(dir, `${id}.zip`))));
  for (const [name, code] of files) await writeFile(path.join(dir, path.basename(name)), code);
  // A chunk's name has a hash.
  const main = files.map(([name]) => path.basename(name)).find((name) => /^[^.]+\.\w+$/.test(name));
  if (!main) throw new Error(`expected the package of ${id} to have its bundle; it does not`);
  const size = files.reduce((sum, [, { length }]) => sum + length, 0);
  return { bundle: path.join(dir, main), size, environment };
}

interface ScriptOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  args: string[];
}

/**
 * Runs a script on the bundle in a separate process, whose output is discarded.
 * @returns the message that the script sends.
 * @throws Error if the script fails.
 */
export async function runOnBundle(
  script: string,
  { bundle }: PackagedFunction,
  { env, signal, args }: ScriptOptions,
): Promise<unknown> {
  const stdio: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(script, [bundle, ...args], { stdio, env, signal });
  let result: unknown;
  child.on('message', (message) => {
    result = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${path.basename(script)} exited with code ${code}.`);
  return result;
}
