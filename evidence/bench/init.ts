import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { packageService, projectDir } from '../../local/engines/serverless.ts';
import { createProgram, runProgram } from '../../terminal/program.ts';
import { readPackagedService } from '../kit/packaged-service.ts';
import { runInterruptibly } from '../kit/run-interruptibly.ts';
import { percentile } from './measurement.ts';

interface Aggregator {
  bundle: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const importCount = 20;
const entry = 'functions/aggregate-clicks';
// Lambda's runtime includes an SDK of its own.
const sdk = /node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws)\//;

const description =
  "Measure the aggregator's cold start (bundle and cold import) and its memory for big batches.";

await runProgram(createProgram('bench:init', description).action(() => runInterruptibly(measure)));

async function measure(signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-init-'));
  await packageService({ stage: 'local', outDir: dir.path });
  const archive = unzipSync(await readFile(path.join(dir.path, 'aggregateClicks.zip')));
  const code = archive[`${entry}.mjs`];
  if (!code) throw new Error(`Expected ${entry}.mjs in the package; it is not there.`);
  const bundle = path.join(dir.path, 'aggregate-clicks.mjs');
  await writeFile(bundle, code);
  const service = await readPackagedService(dir.path);
  const environment = {
    ...service.environment,
    TABLE_NAME: 'click-tally-init',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  const aggregator: Aggregator = { bundle, environment, signal };
  // Powertools traces only in Lambda.
  const traced = { ...environment, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const sdkBytes = await measureSdk(dir.path);
  console.log(`bundle             ${toKb(code.length)} kB`);
  console.log(`without the SDK    ${toKb(code.length - sdkBytes)} kB`);
  console.log(`cold import        ${await measureImport(aggregator)} ms`);
  console.log(
    `… traced by X-Ray  ${await measureImport({ ...aggregator, environment: traced })} ms`,
  );
  console.log(`1,000 messages     ${await measureMemory(aggregator)} MB above idle`);
}

/** Returns the SDK's bytes in the bundle, built with the settings of the deployment. */
async function measureSdk(outdir: string): Promise<number> {
  const serviceFile = path.join(projectDir, 'serverless.yml');
  const service = parse(await readFile(serviceFile, 'utf8'), { logLevel: 'silent' });
  const { bundle, minify, format, target, mainFields, alias }: BuildOptions =
    service.custom.esbuild;
  const { metafile } = await build({
    entryPoints: [path.join(projectDir, `${entry}.ts`)],
    ...{ bundle, minify, format, target, mainFields, alias },
    platform: 'node',
    metafile: true,
    write: false,
    outdir,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.reduce(
    (sum, [file, { bytesInOutput }]) => sum + (sdk.test(file) ? bytesInOutput : 0),
    0,
  );
}

/** Returns milliseconds: the median over fresh processes. */
async function measureImport(aggregator: Aggregator): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < importCount; index++) {
    times.push(await runScript('import.ts', aggregator));
  }
  return percentile(times, 0.5).toFixed(0);
}

/** Returns megabytes of heap and buffers: the peak of big batches, less an idle function's. */
async function measureMemory(aggregator: Aggregator): Promise<string> {
  const bytes = await runScript('memory.ts', aggregator, ['--expose-gc']);
  return (bytes / 1024 / 1024).toFixed(0);
}

/** Runs a script on the bundle and returns the number that it sends. */
async function runScript(
  file: string,
  { bundle, environment, signal }: Aggregator,
  execArgv: string[] = [],
): Promise<number> {
  const child = fork(path.join(import.meta.dirname, file), [bundle], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: environment,
    execArgv,
    signal,
  });
  let result = Number.NaN;
  child.on('message', (message) => {
    result = Number(message);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} exited with code ${code}.`);
  return result;
}

function toKb(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
