import { createCipheriv } from 'node:crypto';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import {
  estimateVisitors,
  fromBytes,
  noVisitors,
  type Sketch,
  toBytes,
  toMark,
  unite,
} from '../../lib/clicks/visitor-sketch.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { percentile } from '../tools/percentile.ts';
import { createRandom } from '../tools/random.ts';

const runs = 200;
const hashBytes = 8;
/** A batch's clicks are united with one write. */
const batchSize = 1_000;

/** Days on which equally many people visit. From the second day on, half of them have been there before. */
interface Period {
  days: number;
  peopleADay: number;
}

const periods: Period[] = [
  ...[1, 10, 49, 100, 1_000, 10_000, 100_000, 1_000_000].map((peopleADay) => ({
    days: 1,
    peopleADay,
  })),
  ...[2, 7, 30, 365].flatMap((days) => [2, 200, 2_000].map((peopleADay) => ({ days, peopleADay }))),
];

interface Accuracy extends Period {
  people: number;
  exact: number;
  median: number;
  p95: number;
}

const columns: Column<Accuracy>[] = [
  ['days', ({ days }) => `${days}`],
  ['people a day', ({ peopleADay }) => peopleADay.toLocaleString('en')],
  ['different people', ({ people }) => people.toLocaleString('en')],
  ['exact runs', ({ exact }) => percent(exact, 0)],
  ['median error', ({ median }) => percent(median, 1)],
  ['95th percentile', ({ p95 }) => percent(p95, 1)],
];

await runProgram(
  createProgram('visitors', 'Measure how exact the estimate of visitors is.', 'proofs')
    .option('--write', 'write the table in docs/visitors.md')
    .action(({ write }: { write?: boolean }) => measureAll(write)),
);

async function measureAll(write = false): Promise<void> {
  const rows = periods.map(measure);
  const table = renderTable(columns, rows);
  print(`${table}\n`);
  if (write) await writeParts('visitors.md', 'visitors -- --write', { accuracy: table });
  const missed = rows.filter(missesGoal);
  if (missed.length > 0) {
    throw new CommandError(`expected every row to reach its goal; ${missed.length} don't`);
  }
}

/** Below 50 people, 95% of the runs are exact. Above, the error is at most 3.5%, and in 95% of them 7%. */
function missesGoal({ people, exact, median, p95 }: Accuracy): boolean {
  return people < 50 ? exact < 0.95 : median > 0.035 || p95 > 0.07;
}

function measure(period: Period): Accuracy {
  const estimates = Array.from({ length: runs }, (_, run) => simulate(period, run));
  const [{ people } = { people: 0 }] = estimates;
  const errors = estimates.map(({ estimate }) => Math.abs(estimate - people) / people);
  return {
    ...period,
    people,
    exact: errors.filter((error) => error === 0).length / runs,
    median: percentile(errors, 0.5),
    p95: percentile(errors, 0.95),
  };
}

/** The people of a period, and their number by the sketches of its days, as they are stored. */
function simulate({ days, peopleADay }: Period, run: number) {
  const returning = Math.floor(peopleADay / 2);
  const people = peopleADay + (days - 1) * (peopleADay - returning);
  const hashes = createHashes(run, people);
  const random = createRandom(run, `${days} ${peopleADay}`);
  let seen = 0;
  const sketches = Array.from({ length: days }, (_, day) => {
    const returns = day === 0 ? 0 : returning;
    const earlier = Array.from({ length: returns }, () => random.integer(0, seen - 1));
    const fresh = Array.from({ length: peopleADay - returns }, (_, index) => seen + index);
    seen += fresh.length;
    return fromBytes(storeDay([...earlier, ...fresh].map((person) => markOf(hashes, person))));
  });
  return { people, estimate: estimateVisitors(unite(sketches)) };
}

function storeDay(marks: readonly number[]): Buffer {
  let sketch: Sketch = noVisitors;
  for (let start = 0; start < marks.length; start += batchSize) {
    const batch = new Set(marks.slice(start, start + batchSize));
    sketch = fromBytes(toBytes(unite([sketch, batch])));
  }
  return toBytes(sketch);
}

/** What an HMAC is like: as random as AES, which is ten times as fast. */
function createHashes(run: number, people: number): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(run);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(
    Buffer.alloc(people * hashBytes),
  );
}

function markOf(hashes: Buffer, person: number): number {
  return toMark(hashes.subarray(person * hashBytes, (person + 1) * hashBytes));
}

function percent(share: number, digits: number): string {
  return `${(100 * share).toFixed(digits)}%`;
}
