import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { readPackagedService } from '../../fixtures/packaged-service.ts';
import { packageService, projectDir } from '../../local/engines/serverless.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { listen } from '../../loopback/http-server.ts';
import { readStage } from '../capacity/stage.ts';
import { environmentOf } from '../simulation/stage-settings.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { percentile } from '../tools/percentile.ts';
import type { RedirectCosts } from './redirects.ts';

const description =
  'Measure a redirect: the packaged resolve-link beside the naive resolver of naive-resolver.ts.';

/** Fresh processes of each resolver, in turn. Their medians are compared. */
const processes = 20;
/** The processes that also redirect when warm, and their redirects of each kind. */
const warmProcesses = 5;
const redirects = 1_000;
/** Any key is as fast as another. */
const visitorKey = Buffer.alloc(32, 7).toString('base64');

const figures = [
  'import',
  'first redirect',
  'import and first redirect',
  'CPU, remembered link',
  'CPU, new link',
  'time, remembered link',
  'time, new link',
];

await runProgram(
  createProgram('bench:redirect', description, 'proofs')
    .option('--write', 'write the table of docs/costs-and-speed.md')
    .action((options) => runInterruptibly((signal) => run(options, signal))),
);

async function run({ write }: { write?: boolean }, signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-redirect-'));
  const { environment, own } = await packageResolver(dir.path);
  const naive = await bundleNaive(dir.path);
  const aws = await startAws(dir.path);
  await using _ = { [Symbol.asyncDispose]: aws.stop };
  const env = {
    ...environmentOf('resolver', readStage()),
    ...environment,
    AWS_ENDPOINT_URL: aws.url,
    NODE_EXTRA_CA_CERTS: aws.certificate,
    CLICKS_VIA: 'bus',
    CLICK_QUEUES: '4',
    HOSTING_IS_BOT: 'false',
    COUNT_VISITORS: 'true',
    CLICK_QUEUE_URL: `${aws.url}/000000000000/clicks`,
  };
  const withoutVisitors = { ...env, COUNT_VISITORS: 'false' };
  const measure = async (
    bundle: string,
    round: number,
    env: Environment,
  ): Promise<RedirectCosts> => {
    const args = [bundle, `${round < warmProcesses ? redirects : 0}`];
    const stdio: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'ignore', 'inherit', 'ipc'];
    const script = path.join(import.meta.dirname, 'redirects.ts');
    const child = fork(script, args, { stdio, env, signal });
    const told = once(child, 'message');
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`redirects.ts exited with code ${code}.`);
    return (await told)[0];
  };
  const costs: Costs = { ours: [], unvisited: [], theirs: [] };
  for (let round = 0; round < processes; round++) {
    costs.ours.push(await measure(own, round, env));
    costs.unvisited.push(await measure(own, round, withoutVisitors));
    costs.theirs.push(await measure(naive, round, env));
  }
  const redirect = render(costs);
  print(`${redirect}\n`);
  if (write) await writeParts('costs-and-speed.md', 'bench:redirect -- --write', { redirect });
}

type Environment = NodeJS.ProcessEnv;

/** Of processes that ran in turn. */
interface Costs {
  ours: RedirectCosts[];
  /** With `countVisitors: false`. */
  unvisited: RedirectCosts[];
  /** Of the naive resolver. */
  theirs: RedirectCosts[];
}

/** Stands in for AWS, over TLS, because a process's first connection is the most expensive one. */
async function startAws(dir: string) {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(dir, name));
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', `${key}`, '-out', `${certificate}`];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', ...kind, ...names, ...files], { stdio: 'ignore' });
  const identity = { key: await readFile(`${key}`), cert: await readFile(`${certificate}`) };
  const server = createServer(identity, (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(`${request.headers['x-amz-target']}`)));
  });
  const { url, stop } = await listen(server);
  return { url: url.replace('http:', 'https:'), certificate, stop };
}

/** Packages the service, unpacks resolve-link as deployed, and reads the aggregator's variables. */
async function packageResolver(dir: string) {
  await packageService({ stage: 'local', outDir: dir });
  const { environment } = readPackagedService(await readTemplate(dir));
  const files = Object.entries(unzipSync(await readFile(path.join(dir, 'resolveLink.zip'))));
  for (const [name, code] of files) await writeFile(path.join(dir, path.basename(name)), code);
  // A chunk's name has a hash.
  const main = files.map(([name]) => path.basename(name)).find((name) => /^[^.]+\.\w+$/.test(name));
  return { own: path.join(dir, main ?? ''), environment };
}

/** Bundles the naive resolver with the deployment's settings, but without its replacements of the SDK's code. */
async function bundleNaive(dir: string): Promise<string> {
  const text = await readFile(path.join(projectDir, 'serverless.yml'), 'utf8');
  const { esbuild } = parse(text, { logLevel: 'silent' }).custom;
  const { bundle, minify, format, target, mainFields, banner }: BuildOptions = esbuild;
  const outfile = path.join(dir, 'naive-resolver.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'naive-resolver.ts')],
    bundle,
    minify,
    format,
    target,
    mainFields,
    banner,
    platform: 'node',
    outfile,
  });
  return outfile;
}

function answer(target: string): object {
  if (target.endsWith('PutEvents')) return { FailedEntryCount: 0, Entries: [{ EventId: 'event' }] };
  const link = { url: { S: 'https://example.com/landing' }, clicks: { N: '1' } };
  return {
    ConsumedCapacity: {},
    // Any key is answered with a link, and with the key for visitors' marks.
    Item: {
      ...link,
      key: { B: visitorKey },
      createdAt: { S: '2026-05-26T10:00:00.000Z' },
      owner: { S: 'owner' },
    },
  };
}

/** The medians of the processes that measured each figure, and of their ratios in pairs. */
function render({ ours, unvisited, theirs }: Costs): string {
  const median = (costs: RedirectCosts[], title: string) => {
    const values = costs.flatMap((one) => one[title] ?? []);
    return percentile(values, 0.5);
  };
  const ratio = (others: RedirectCosts[], title: string) => {
    const ratios = ours.flatMap((one, index) => {
      const own = one[title];
      const other = others[index]?.[title];
      return own === undefined || other === undefined ? [] : [own / other];
    });
    return percentile(ratios, 0.5);
  };
  const format = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
  const columns: Column<string>[] = [
    ['', (title) => title, 'words'],
    ['resolve-link', (title) => format(median(ours, title))],
    ['without visitors', (title) => format(median(unvisited, title))],
    ['÷ without visitors', (title) => ratio(unvisited, title).toFixed(2)],
    ['naive', (title) => format(median(theirs, title))],
    ['÷ naive', (title) => ratio(theirs, title).toFixed(2)],
  ];
  return renderTable(columns, figures);
}
