import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CommandError } from '../../cli/terminal/command-error.ts';

const milliseconds = z.number().check(z.nonnegative());
const terms = z.object({
  perInvocationMs: milliseconds,
  perClickMs: milliseconds,
  perTransactionMs: milliseconds,
  perItemMs: milliseconds,
});

const schema = z.object({
  measuredAt: z.iso.datetime(),
  cpu: z.string(),
  node: z.string(),
  /** A loop of integer arithmetic, by which another machine's figures can be related to these. */
  reference: z.object({ iterations: z.number(), ms: milliseconds }),
  /** The CPU time of importing the bundle in a fresh process. */
  initMs: milliseconds,
  fit: terms,
  standardErrors: terms,
  /** Root mean square of the residuals, each as a share of what was measured. */
  relativeError: z.number(),
  workloads: z.array(
    z.object({
      clicks: z.number(),
      links: z.number(),
      environments: z.nullable(z.number()),
      transactions: z.number(),
      items: z.number(),
      cpuMs: milliseconds,
      fittedMs: milliseconds,
      /** (measured − fitted) ÷ measured. */
      residual: z.number(),
      referenceMs: milliseconds,
    }),
  ),
});

/** The CPU time of the packaged aggregator, as it was measured once. */
export type CpuRecord = z.infer<typeof schema>;

/** Where {@link readCpu} finds the measurement of this repository. */
export const cpuFile = new URL('cpu.json', import.meta.url);

/** @throws {CommandError} if the file is missing or is no measurement. */
export function readCpu(file: URL = cpuFile): CpuRecord {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? z.prettifyError(error) : String(error);
    throw new CommandError(
      `Expected a measurement of the aggregator's CPU time in ${file.pathname}; got ${reason}. Make one with: npm --prefix proofs run capacity -- --measure-cpu`,
    );
  }
}
