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
import {
  type PackagedFunction,
  packageFunctions,
  runOnBundle,
} from '../tools/packaged-function.ts';
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

interface Goal {
  title: string;
  unit: string;
  read: (costs: RedirectCosts) => number;
  /** Our share of the naive resolver's figure, at most. */
  most?: number;
}
const goals: Goal[] = [
  { title: 'import', unit: 'ms', read: ({ importMs }) => importMs },
  { title: 'import and first redirect', unit: 'ms', read: ({ firstMs }) => firstMs, most: 0.8 },
  { title: 'CPU, remembered link', unit: 'ms', read: (one) => one.remembered.cpuMs, most: 0.6 },
  { title: 'CPU, new link', unit: 'ms', read: (one) => one.fresh.cpuMs, most: 1 },
  { title: 'time, remembered link', unit: 'ms', read: (one) => one.remembered.ms },
  { title: 'time, new link', unit: 'ms', read: (one) => one.fresh.ms },
  { title: 'resident memory', unit: 'MB', read: ({ residentMb }) => residentMb },
];

interface Row {
  title: string;
  unit: string;
  own: number;
  naive: number;
  most?: number;
}

const columns: Column<Row>[] = [
  ['', ({ title }) => title, 'words'],
  ['resolve-link', ({ own, unit }) => format(own, unit)],
  ['naive', ({ naive, unit }) => format(naive, unit)],
  ['÷ naive', ({ own, naive }) => (own / naive).toFixed(2)],
  ['goal', describeGoal],
];

await runProgram(
  createProgram('bench:redirect', description, 'proofs')
    .option('--write', 'write the table of docs/performance.md')
    .action((options) => runInterruptibly((signal) => run(options, signal))),
);

async function run({ write }: { write?: boolean }, signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-redirect-'));
  const [own] = await packageFunctions(dir.path, ['resolveLink']);
  if (!own) throw new Error('expected the package to have resolve-link; it does not');
  const naive = await bundleNaive(dir.path, own);
  const aws = await startHttpServer(async ({ headers }) => ({
    status: 200,
    body: answer(`${headers['x-amz-target']}`),
  }));
  await using _ = { [Symbol.asyncDispose]: aws.stop };
  const env = environmentOf(own, aws.url);
  const results: [RedirectCosts[], RedirectCosts[]] = [[], []];
  for (let round = 0; round < processes; round++) {
    const args = [`${round < warmProcesses ? redirects : 0}`];
    for (const [index, resolver] of [own, naive].entries()) {
      const script = path.join(import.meta.dirname, 'redirects.ts');
      const costs = await runOnBundle(script, resolver, { env, signal, args });
      results[index]?.push(costs as RedirectCosts);
    }
  }
  const redirect = render(results, [own, naive]);
  print(`${redirect}\n`);
  if (write) await writeParts('performance.md', 'bench:redirect -- --write', { redirect });
}

/** Bundles the naive resolver with the deployment's settings, but without its replacements of the SDK's code. */
async function bundleNaive(dir: string, own: PackagedFunction): Promise<PackagedFunction> {
  const text = await readFile(path.join(projectDir, 'serverless.yml'), 'utf8');
  const { esbuild } = parse(text, { logLevel: 'silent' }).custom;
  const { bundle, minify, format, target, mainFields, banner }: BuildOptions = esbuild;
  const outfile = path.join(dir, 'naive-resolver.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'naive-resolver.ts')],
    ...{ bundle, minify, format, target, mainFields, banner, platform: 'node', outfile },
  });
  return { ...own, bundle: outfile, size: (await stat(outfile)).size };
}

function answer(target: string): object {
  if (target.endsWith('PutEvents')) return { FailedEntryCount: 0, Entries: [{ EventId: 'event' }] };
  const link = { url: { S: 'https://example.com/landing' }, clicks: { N: '1' } };
  return { Item: { ...link, createdAt: { S: '2026-05-26T10:00:00.000Z' }, owner: { S: 'owner' } } };
}

function environmentOf({ environment }: PackagedFunction, url: string) {
  return {
    ...environment,
    AWS_ENDPOINT_URL: url,
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

function render(
  [ours, theirs]: readonly [RedirectCosts[], RedirectCosts[]],
  [own, naive]: readonly [PackagedFunction, PackagedFunction],
): string {
  const rows = goals.map(({ read, ...goal }) => ({
    ...goal,
    own: median(ours.map(read)),
    naive: median(theirs.map(read)),
  }));
  const sizes = { own: own.size / 1_000, naive: naive.size / 1_000 };
  return renderTable(columns, [...rows, { title: 'all files', unit: 'kB', ...sizes }]);
}

/** The median of the processes that measured this. */
function median(values: readonly number[]): number {
  return percentile(
    values.filter((value) => Number.isFinite(value)),
    0.5,
  );
}

function format(value: number, unit: string): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
}

function describeGoal({ own, naive, most }: Row): string {
  if (most === undefined) return '';
  return `≤ ${most.toFixed(1)}${Number((own / naive).toFixed(2)) <= most ? '' : ', missed'}`;
}
