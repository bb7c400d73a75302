import { createRandom, type Random } from '../../../fixtures/random.ts';
import { drawDurationMs, drawWriteDurationMs } from '../../simulation/transaction-duration.ts';
import { percentile } from '../../tools/percentile.ts';
import { type Limit, limits } from '../limits.ts';
import { type CheckRow, judge, type Reason } from './row.ts';
import { eventBytes, pollBacklog, writeToTable } from './scenarios.ts';

/** A figure that AWS or others published, and what the model does in its place. */
export interface Published {
  figure: string;
  unit: string;
  published: number;
  /** An address; it says so if the figure could not be looked up. */
  source: string;
  /** For a limit: the share by which the model may exceed it. */
  toleranceAbove?: number;
  /** Why the model is more than a twentieth off, if it is. */
  reason?: Reason;
  run: () => number | Promise<number>;
}

const tolerance = 0.05;
const draws = 100_000;
const durations = 'https://github.com/alexdebrie/dynamodb-performance-testing#results';
const throttling = 'https://repost.aws/knowledge-center/on-demand-table-throttling-dynamodb';

const quantiles = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
] as const;

/** Durations as their caller measured them: the table's, and the way there and back. */
function listDurations(
  title: string,
  figures: readonly [p50: number, p90: number, p99: number],
  draw: (random: Random) => number,
  reason: Reason,
): Published[] {
  const random = createRandom(1, title);
  let drawn: number[] | undefined;
  const read = (share: number) => {
    drawn ??= Array.from({ length: draws }, () => draw(random) + limits.transitMs.value);
    return percentile(drawn, share);
  };
  return quantiles.map(([name, share], index) => ({
    ...{ figure: `${title}, ${name}`, unit: 'ms', published: figures[index] ?? 0 },
    ...{ source: durations, reason, run: () => read(share) },
  }));
}

const oneSpread: Reason = {
  words: 'the model has the spread of 25 items for all sizes, and that of 5 has a longer tail',
  upTo: 0.2,
};
const transit: Reason = {
  words: 'in the model, a request and its answer take 11 ms on the way, whatever they are about',
  upTo: 0.5,
};

const untilIdle = { batchSize: 10, batchWindowMs: 0, maximumConcurrency: 1_250 };

const fromLimit = ({ value, unit, source }: Limit) => ({ published: value, unit, source });
const isLimit = { toleranceAbove: 0 };
/** A second more or less is in what is measured. */
const isRate = { toleranceAbove: 0.01 };

const mappings: Published[] = [
  {
    ...{ figure: 'a mapping, when a backlog begins', ...fromLimit(limits.startPollers) },
    run: () => pollBacklog(untilIdle, 1_000, 1).running[0] ?? 0,
  },
  {
    ...{ figure: 'what a mapping adds in a minute of backlog' },
    ...fromLimit(limits.pollersPerMinute),
    run: () => {
      const { running } = pollBacklog(untilIdle, 10_000, 60);
      return (running[60] ?? 0) - (running[0] ?? 0);
    },
  },
  {
    ...{ figure: 'the most that a mapping runs', unit: 'concurrent batches', published: 1_000 },
    source: limits.maxPollers.source,
    reason: {
      upTo: 0.25,
      words:
        "AWS's page names 1,000, the concurrency of an account, and 1,250 for an account with more; the model has the latter, and each run here has a `maximumConcurrency` of 1,000 at most",
    },
    run: () => pollBacklog(untilIdle, 20_000, 300).running[300] ?? 0,
  },
  {
    ...{ figure: 'received and not deleted', ...fromLimit(limits.inFlight), ...isLimit },
    run: () => {
      const settings = { batchSize: 1_000, batchWindowMs: 1_000, maximumConcurrency: 1_000 };
      return pollBacklog(settings, 130_000, 60).inFlight;
    },
  },
  {
    ...{ figure: 'the largest event of our messages', ...fromLimit(limits.batchBytes), ...isLimit },
    run: () => {
      const settings = { batchSize: 10_000, batchWindowMs: 300_000, maximumConcurrency: 2 };
      return eventBytes(pollBacklog(settings, 20_000, 10).batch);
    },
  },
];

const tables: Published[] = [
  {
    ...{ figure: 'one partition key', ...fromLimit(limits.partitionWriteUnits), ...isRate },
    run: () => writeToTable({ unitsPerSecond: 2_000, partitionKeys: 1, previousPeakUnits: 0 }),
  },
  {
    ...{ figure: 'a new on-demand table', ...fromLimit(limits.newTableWriteUnits), ...isRate },
    run: () => writeToTable({ unitsPerSecond: 8_000, partitionKeys: 1_000, previousPeakUnits: 0 }),
  },
  {
    figure: 'an on-demand table whose previous peak was 4,000',
    ...{ unit: 'write units a second', published: 8_000, source: throttling, ...isRate },
    run: () =>
      writeToTable({ unitsPerSecond: 16_000, partitionKeys: 1_000, previousPeakUnits: 4_000 }),
  },
];

const alwaysTheSame: Reason = {
  words: 'the model adds the same time to each click, that of a high percentile',
  upTo: 0.7,
};

const buses: Published[] = [
  {
    ...{ figure: 'EventBridge to its target, p90 at Amazon Key', unit: 'ms', published: 80 },
    source:
      'https://sysdesign-wiki.pages.dev/sources/2026-02-04-aws-amazon-key-eventbridge-event-driven-architecture/ (a summary of the AWS Architecture Blog)',
    reason: alwaysTheSame,
    run: () => limits.busMs.value,
  },
  {
    ...{ figure: 'EventBridge to its target, p99', unit: 'ms', published: 129 },
    source: 'AWS, 2024; from memory, not looked up',
    reason: alwaysTheSame,
    run: () => limits.busMs.value,
  },
];

/** All published figures that the model can be compared with. */
export function listPublished(): Published[] {
  const transaction = (items: number) => (random: Random) => drawDurationMs(items, random);
  return [
    ...listDurations('a transaction of 5 items', [25.3, 30.7, 92.5], transaction(5), oneSpread),
    ...listDurations('a transaction of 25 items', [32.1, 40.5, 97.5], transaction(25), oneSpread),
    ...listDurations('a write of one item', [7.55, 11.3, 16.2], drawWriteDurationMs, transit),
    ...mappings,
    ...tables,
    ...buses,
  ];
}

/** Lets the model do what each figure is about, and judges it. */
export async function comparePublished(list: readonly Published[]): Promise<CheckRow[]> {
  const rows: CheckRow[] = [];
  for (const { figure, unit, published, source, run, ...rule } of list) {
    const pair = { part: 'published', subject: source, figure, unit, real: published } as const;
    rows.push(judge({ ...pair, model: await run() }, { tolerance, ...rule }));
  }
  return rows;
}
