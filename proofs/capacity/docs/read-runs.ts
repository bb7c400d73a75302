import * as z from 'zod/mini';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { partNames } from '../costs.ts';
import { approaches } from '../result.ts';

// JSON has no NaN.
const figure = z.pipe(
  z.nullable(z.number()),
  z.transform((value) => value ?? Number.NaN),
);
const parts = z.array(z.object({ name: z.enum(partNames), dollarsPerMillion: z.number() }));

/** What the page shows of a row. */
const run = z.object({
  stage: z.string(),
  traffic: z.string(),
  approach: z.enum(approaches),
  tuning: z.optional(z.record(z.string(), z.number())),
  share: z.optional(z.number()),
  offeredPerSecond: z.number(),
  countedPerSecond: z.number(),
  holds: z.boolean(),
  lagMs: z.object({ p50: figure, p99: figure, worst: figure }),
  depth: z.object({ max: z.number() }),
  drainSeconds: z.optional(z.number()),
  conflictShare: z.number(),
  duplicateShare: z.number(),
  deadLetters: z.number(),
  unitsPerClick: z.object({ committed: z.number(), cancelled: z.number() }),
  clicksPerBatch: figure,
  concurrency: z.object({ mean: z.number(), max: z.number() }),
  front: z.array(z.object({ part: z.string(), share: z.number() })),
  saturatesFirst: z.string(),
  dollars: z.optional(z.object({ throughApi: parts, onBus: parts })),
});

/** A run as the page shows it. */
export type Run = z.infer<typeof run>;

/**
 * Reads what `npm --prefix proofs run capacity -- --json` wrote.
 * @throws {CommandError} if the text is something else, or if a run was shortened.
 */
export function readRuns(text: string): Run[] {
  const runs = parse(text);
  if (runs.every(({ share }) => share === undefined)) return runs;
  throw new CommandError(
    'Expected whole runs; got those of --quick. Make others with: npm --prefix proofs run capacity -- --json FILE',
  );
}

function parse(text: string): Run[] {
  try {
    return z.array(run).parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? z.prettifyError(error) : String(error);
    throw new CommandError(
      `Expected the runs of the capacity model; got ${reason}. Make them with: npm --prefix proofs run capacity -- --json FILE`,
    );
  }
}
