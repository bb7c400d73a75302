import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { type Measurement, measure } from './measure.ts';

interface Options {
  quick?: boolean;
  write?: boolean;
}

const description =
  'Measure eight approaches on one engine, in batches of 1 and 100: write units, requests, speed, ' +
  'latency and exactness of the counts.';

await runProgram(
  createProgram('bench', description, 'proofs')
    .option('--quick', 'fewer rounds, in about a minute')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .action((options: Options) => runInterruptibly((signal) => bench(options, signal))),
);

async function bench({ quick, write }: Options, signal: AbortSignal): Promise<void> {
  const { template, environment } = await loadPackagedService();
  const { endpoint, stop } = await startDynamoDb();
  await using _ = { [Symbol.asyncDispose]: stop };
  const rounds = quick ? 3 : 9;
  const scenarios = [1, 100].flatMap((batch) => [1, 20, 100].map((links) => ({ links, batch })));
  const atOnce = scenarios.filter(({ batch }) => batch === 100);
  // A batch takes seconds, and little else makes a difference.
  const fewRounds = 3;
  const allRounds = scenarios.length * rounds + atOnce.length * fewRounds;
  const progress = createProgress(allRounds, 'rounds');
  Object.assign(process.env, environment);
  const { write: writeOut } = process.stdout;
  // Metrics are printed, which costs little in Lambda.
  process.stdout.write = () => true;
  const onRound = () => {
    signal.throwIfAborted();
    progress.add();
  };
  const measureAll = async () => [
    await measure({ endpoint, template, rounds, scenarios, hasLatencies: false }, onRound),
    await measure(
      { endpoint, template, rounds: fewRounds, scenarios: atOnce, hasLatencies: true },
      onRound,
    ),
  ];
  const [measurements = [], withLatencies = []] = await measureAll().finally(() => {
    process.stdout.write = writeOut;
    progress.end();
  });
  const isParallel = ({ approach }: Measurement) => approach === 'hand-rolled-parallel';
  const single = renderApproaches(
    measurements.filter((one) => one.batch === 1 && !isParallel(one)),
    ['units', 'speed'],
  );
  const approaches = renderApproaches(
    measurements.filter((one) => one.batch === 100),
    ['units', 'speed', 'speed beside parallel'],
  );
  // The units are those of the other table.
  const latencies = renderApproaches(withLatencies, ['speed', 'speed beside parallel']);
  print(`${single}\n\n${approaches}\n\nWith the latencies of AWS:\n\n${latencies}\n`);
  const parts = { approaches, single, latencies };
  if (write) await writeParts('costs-and-speed.md', 'bench -- --write', parts);
}

type Read = (measurement: Measurement) => string;

type Part = 'units' | 'speed' | 'speed beside parallel';

/**
 * Compares the approaches with batches of one size. Each cell has a figure for each number of links, or one if
 * all are equal.
 */
function renderApproaches(compared: readonly Measurement[], parts: readonly Part[]): string {
  const links = [...new Set(compared.map((one) => one.links))];
  const column = (title: string, read: Read): Column<Measurement[]> => [
    title,
    (row) => joinFigures(row.map(read)),
    'words',
  ];
  const speedBeside =
    (peer: string): Read =>
    (one) => {
      const base = compared.find(({ approach, links }) => approach === peer && links === one.links);
      return (one.clicksPerSecond / (base?.clicksPerSecond ?? Number.NaN)).toFixed(1);
    };
  const columnsOf: Record<Part, Column<Measurement[]>[]> = {
    units: [
      column('write units/click', (one) => one.writeUnitsPerClick.toFixed(2)),
      column('requests/click', (one) => one.requestsPerClick.toFixed(2)),
    ],
    speed: [column('speed ÷ hand-rolled', speedBeside('hand-rolled'))],
    'speed beside parallel': [
      column('÷ hand-rolled-parallel', speedBeside('hand-rolled-parallel')),
    ],
  };
  const columns: Column<Measurement[]>[] = [
    [`batch of ${compared[0]?.batch}, on ${links.join(', ')} links`, nameOf, 'words'],
    ...parts.flatMap((part) => columnsOf[part]),
    column('p50 ms', (one) => one.p50Ms.toFixed(one.p50Ms < 10 ? 1 : 0)),
  ];
  return renderTable(columns, [...Map.groupBy(compared, ({ approach }) => approach).values()]);
}

function joinFigures(figures: readonly string[]): string {
  const different = new Set(figures);
  return (different.size === 1 ? [...different] : figures).join(', ');
}

/** The approach of these measurements. Says so if it miscounted. */
function nameOf(row: readonly Measurement[]): string {
  const approach = row[0]?.approach ?? '';
  const name = approach.startsWith('click-tally') ? `**${approach}**` : approach;
  return row.every(({ exact }) => exact) ? name : `${name}, **not exact**`;
}
