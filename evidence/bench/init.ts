// What the aggregator costs before its first click, and what it holds in memory for a big batch.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { packageService } from '../../local/engines/serverless.ts';
import { readSettings, type Settings } from '../kit/packaged-service.ts';
import { percentile } from './measurement.ts';

const processes = 20;
const entry = 'functions/aggregate-clicks';
const run = promisify(execFile);
/** What the runtime of Lambda brings with it, and what comes with the SDK. */
const sdk = /node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws)\//;

const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-init-'));
try {
  await packageService({ stage: 'local', outDir: dir });
  const archive = unzipSync(await readFile(path.join(dir, 'aggregateClicks.zip')));
  const bundle = path.join(dir, 'aggregate-clicks.mjs');
  const code = archive[`${entry}.mjs`];
  if (!code) throw new Error(`expected ${entry}.mjs in the package; it is not there`);
  await writeFile(bundle, code);
  const settings = await readSettings(dir);
  const sdkBytes = await measureSdk();
  console.log(`bundle             ${toKb(code.length)} kB`);
  console.log(`without the SDK    ${toKb(code.length - sdkBytes)} kB`);
  console.log(`cold import        ${await measureImport(bundle, settings, {})} ms`);
  const inLambda = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  console.log(`… traced by X-Ray  ${await measureImport(bundle, settings, inLambda)} ms`);
  console.log(`1,000 messages     ${await measureMemory(bundle, settings)} MB above idle`);
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** Bytes of the SDK in the bundle, built with the settings that deployment uses. */
async function measureSdk(): Promise<number> {
  const service = parse(await readFile('serverless.yml', 'utf8'), { logLevel: 'silent' });
  const { bundle, minify, format, target, mainFields, alias }: BuildOptions =
    service.custom.esbuild;
  const { metafile } = await build({
    entryPoints: [`${entry}.ts`],
    ...{ bundle, minify, format, target, mainFields, alias },
    platform: 'node',
    metafile: true,
    write: false,
    outdir: dir,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.reduce(
    (sum, [file, { bytesInOutput }]) => sum + (sdk.test(file) ? bytesInOutput : 0),
    0,
  );
}

/** Milliseconds, the median over fresh processes. */
async function measureImport(file: string, settings: Settings, variables: object): Promise<string> {
  const program = `const start = performance.now();
    await import(${JSON.stringify(file)});
    console.log(performance.now() - start);`;
  const times: number[] = [];
  for (let index = 0; index < processes; index++) {
    times.push(Number(await runProgram(program, settings, variables)));
  }
  return percentile(times, 0.5).toFixed(0);
}

/** Megabytes of heap and buffers at the worst moment of a batch, over those of an idle function. */
async function measureMemory(file: string, settings: Settings): Promise<string> {
  const program = `import { createServer } from 'node:http';
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('{}'));
    }).listen(0);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:' + server.address().port;
    const { handler } = await import(${JSON.stringify(file)});
    const at = '2026-05-26T10:00:00Z';
    const deliver = (batch, count) => handler({ Records: Array.from({ length: count }, (_, index) => ({
      messageId: String(index), attributes: { ApproximateReceiveCount: '1' },
      body: JSON.stringify({ id: batch + '-' + index, detail: { code: 'link-' + (index % 20), at } }),
    })) }, { getRemainingTimeInMillis: () => 60_000 });
    const used = () => { const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; };
    await deliver('warm', 10);
    gc();
    const idle = used();
    let peak = 0;
    const watch = setInterval(() => { peak = Math.max(peak, used()); }, 1);
    for (let batch = 0; batch < 10; batch++) { await deliver(batch, 1_000); peak = Math.max(peak, used()); gc(); }
    clearInterval(watch);
    server.close();
    server.closeAllConnections();
    process.stderr.write(String(peak - idle));`;
  const bytes = await runProgram(program, settings, {}, ['--expose-gc']);
  return (Number(bytes) / 1024 / 1024).toFixed(0);
}

async function runProgram(
  program: string,
  { environment }: Settings,
  variables: object,
  flags: string[] = [],
): Promise<string> {
  const options = ['--input-type=module', '--eval', program];
  const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  const { stdout, stderr } = await run(process.execPath, [...flags, ...options], {
    env: {
      ...environment,
      TABLE_NAME: 'click-tally-init',
      AWS_REGION: 'us-east-1',
      ...credentials,
      ...variables,
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stderr || stdout;
}

function toKb(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
