import { mkdtempDisposable, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { parse } from 'yaml';
import { startHttpServer } from '../../cli/loopback/http-server.ts';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { percentile } from '../tools/percentile.ts';
import { type PackagedFunction, packageFunction, runOnBundle } from './packaged-function.ts';
import type { RedirectCosts } from './redirects.ts';

const description =
  'Measure a redirect: the packaged resolve-link beside the naive resolver of naive-resolver.ts.';

/** Fresh processes of each resolver, in turn. Their medians are compared. */
const processes = 20;
/** The processes that also redirect when warm, and their redirects of each kind. */
const warmProcesses = 5;
const redirects = 1_000;

/** A figure of both resolvers, and our goal: the most that it may be of the naive one's. */
interface Figure {
  title: string;
  unit: string;
  read: (costs: RedirectCosts) => number;
  most?: number;
}
const figures: Figure[] = [
  { title: 'import', unit: 'ms', read: ({ importMs }) => importMs },
  { title: 'import and first redirect', unit: 'ms', read: ({ firstMs }) => firstMs, most: 0.8 },
  { title: 'CPU, remembered link', unit: 'ms', read: (one) => one.remembered.cpuMs, most: 0.6 },
  { title: 'CPU, new link', unit: 'ms', read: (one) => one.fresh.cpuMs, most: 1 },
  { title: 'time, remembered link', unit: 'ms', read: (one) => one.remembered.ms },
  { title: 'time, new link', unit: 'ms', read: (one) => one.fresh.ms },
  { title: 'resident memory', unit: 'MB', read: ({ residentMb }) => residentMb },
  { title: 'all files', unit: 'kB', read: ({ bundleBytes }) => bundleBytes / 1_000 },
];

await runProgram(
  createProgram('bench:redirect', description, 'proofs')
    .option('--write', 'write the table of docs/costs-and-speed.md')
    .action((options) => runInterruptibly((signal) => run(options, signal))),
);

async function run({ write }: { write?: boolean }, signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-redirect-'));
  const own = await packageFunction(dir.path, 'resolveLink');
  const naive = await bundleNaive(dir.path);
  const aws = await startHttpServer(async ({ headers }) => ({
    status: 200,
    body: answer(`${headers['x-amz-target']}`),
  }));
  await using _ = { [Symbol.asyncDispose]: aws.stop };
  const env = { ...own.environment, ...environmentOf(aws.url) };
  const script = path.join(import.meta.dirname, 'redirects.ts');
  const measure = async (resolver: PackagedFunction, round: number) => {
    const args = [`${round < warmProcesses ? redirects : 0}`];
    const costs = await runOnBundle(script, resolver, { env, signal, args });
    return { ...(costs as RedirectCosts), bundleBytes: resolver.size };
  };
  const [ours, theirs]: [RedirectCosts[], RedirectCosts[]] = [[], []];
  for (let round = 0; round < processes; round++) {
    ours.push(await measure(own, round));
    theirs.push(await measure(naive, round));
  }
  const redirect = render(ours, theirs);
  print(`${redirect}\n`);
  if (write) await writeParts('costs-and-speed.md', 'bench:redirect -- --write', { redirect });
}

/** Bundles the naive resolver with the deployment's settings, but without its replacements of the SDK's code. */
async function bundleNaive(dir: string): Promise<PackagedFunction> {
  const text = await readFile(path.join(projectDir, 'serverless.yml'), 'utf8');
  const { esbuild } = parse(text, { logLevel: 'silent' }).custom;
  const { bundle, minify, format, target, mainFields, banner }: BuildOptions = esbuild;
  const outfile = path.join(dir, 'naive-resolver.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'naive-resolver.ts')],
    ...{ bundle, minify, format, target, mainFields, banner, platform: 'node', outfile },
  });
  return { bundle: outfile, size: (await stat(outfile)).size };
}

function answer(target: string): object {
  if (target.endsWith('PutEvents')) return { FailedEntryCount: 0, Entries: [{ EventId: 'event' }] };
  const link = { url: { S: 'https://example.com/landing' }, clicks: { N: '1' } };
  return { Item: { ...link, createdAt: { S: '2026-05-26T10:00:00.000Z' }, owner: { S: 'owner' } } };
}

function environmentOf(url: string) {
  return {
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
    AWS_ENDPOINT_URL: url,
    TABLE_NAME: 'table',
    BUS_NAME: 'bus',
    CLICKS_VIA: 'bus',
    CLICK_QUEUE_URL: `${url}/000000000000/clicks`,
    CLICK_QUEUES: '4',
    API_HOST: 'api.example',
    DOMAIN_NAME: 'go.example.com',
    EDGE_HOST: '',
    OWN_DOMAINS: '',
  };
}

function render(ours: RedirectCosts[], theirs: RedirectCosts[]): string {
  const own = ({ read }: Figure) => median(ours.map(read));
  const naive = ({ read }: Figure) => median(theirs.map(read));
  const share = (figure: Figure) => (own(figure) / naive(figure)).toFixed(2);
  const columns: Column<Figure>[] = [
    ['', ({ title }) => title, 'words'],
    ['resolve-link', (figure) => format(own(figure), figure)],
    ['naive', (figure) => format(naive(figure), figure)],
    ['÷ naive', share],
    ['goal', (figure) => describeGoal(figure, Number(share(figure)))],
  ];
  return renderTable(columns, figures);
}

/** The median of the processes that measured this. */
function median(values: readonly number[]): number {
  return percentile(
    values.filter((value) => Number.isFinite(value)),
    0.5,
  );
}

function format(value: number, { unit }: Figure): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
}

function describeGoal({ most }: Figure, share: number): string {
  if (most === undefined) return '';
  return `≤ ${most.toFixed(1)}${share <= most ? '' : ', missed'}`;
}
