import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { parse } from 'yaml';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { bundleAliases } from '../tools/bundle-aliases.ts';
import {
  type PackagedFunction,
  packageFunctions,
  runOnBundle,
} from '../tools/packaged-function.ts';
import { percentile } from '../tools/percentile.ts';

interface Aggregator extends PackagedFunction {
  signal: AbortSignal;
}

const importCount = 20;
// Lambda's runtime includes its own SDK.
const sdk = /node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws)\//;

const description =
  "Measure the aggregator's bundle size, its cold import and its memory for large batches.";

await runProgram(
  createProgram('bench:init', description, 'proofs').action(() => runInterruptibly(measure)),
);

async function measure(signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-init-'));
  const [packaged] = await packageFunctions(dir.path, ['aggregateClicks']);
  if (!packaged) throw new Error('expected the package to have the aggregator; it does not');
  const aggregator: Aggregator = { ...packaged, signal };
  // Powertools traces only in Lambda.
  const traced = { ...aggregator.environment, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const sdkBytes = await measureSdk(dir.path);
  console.log(`bundle             ${toKb(aggregator.size)} kB`);
  console.log(`without the SDK    ${toKb(aggregator.size - sdkBytes)} kB`);
  console.log(`cold import        ${await measureImport(aggregator)} ms`);
  console.log(
    `… traced by X-Ray  ${await measureImport({ ...aggregator, environment: traced })} ms`,
  );
  console.log(`1,000 messages     ${await measureMemory(aggregator)} MB above idle`);
}

/** Returns the SDK's bytes in the bundle, with the deployment's settings. */
async function measureSdk(outdir: string): Promise<number> {
  const serviceFile = path.join(projectDir, 'serverless.yml');
  const service = parse(await readFile(serviceFile, 'utf8'), { logLevel: 'silent' });
  const { bundle, minify, format, target, mainFields }: BuildOptions = service.custom.esbuild;
  const { metafile } = await build({
    entryPoints: [path.join(projectDir, 'functions/aggregate-clicks.ts')],
    ...{ bundle, minify, format, target, mainFields, alias: bundleAliases },
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

/** Returns the median of fresh processes, in milliseconds. */
async function measureImport(aggregator: Aggregator): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < importCount; index++) {
    times.push(await runScript('import.ts', aggregator));
  }
  return percentile(times, 0.5).toFixed(0);
}

/** Returns the peak of heap and buffers with large batches above an idle function's, in megabytes. */
async function measureMemory(aggregator: Aggregator): Promise<string> {
  const bytes = await runScript('memory.ts', aggregator, ['--expose-gc']);
  return (bytes / 1024 / 1024).toFixed(0);
}

/** Runs a script on the bundle and returns the number that it sends. */
async function runScript(
  file: string,
  { environment: env, signal, ...aggregator }: Aggregator,
  execArgv: string[] = [],
): Promise<number> {
  const script = path.join(import.meta.dirname, file);
  return Number(await runOnBundle(script, aggregator, { env, signal, execArgv }));
}

function toKb(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
