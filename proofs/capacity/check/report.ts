import * as z from 'zod/mini';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { type CheckRow, type Part, parts, verdicts } from './row.ts';

// JSON has no undefined.
const figure = z.pipe(
  z.nullable(z.number()),
  z.transform((value) => value ?? undefined),
);

const schema = z.object({
  checkedAt: z.iso.datetime(),
  cpu: z.string(),
  node: z.string(),
  rows: z.array(
    z.object({
      part: z.enum(parts),
      ...{ subject: z.string(), figure: z.string(), unit: z.string() },
      ...{ real: figure, model: figure },
      verdict: z.enum(verdicts),
      words: z.string(),
    }),
  ),
});

/** A run of `npm --prefix proofs run capacity -- --check`, as it is written to a file. */
export type CheckRecord = z.infer<typeof schema>;

/** @throws {CommandError} if the text is something else. */
export function readCheck(text: string): CheckRecord {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? z.prettifyError(error) : String(error);
    throw new CommandError(
      `Expected a check of the capacity model; got ${reason}. Make one with: npm --prefix proofs run capacity -- --check --json FILE`,
    );
  }
}

/** What each part compares. */
export const partTitles: Record<Part, string> = {
  stack: 'The same clicks, counted by the local stack and by the model',
  batches: 'The batches that the model formed, counted by the packaged aggregator on dynoxide',
  published: 'What AWS and others published',
};

/** The rows for a terminal, part by part. */
export function formatCheck(rows: readonly CheckRow[]): string[] {
  return [...Map.groupBy(rows, ({ part }) => part)].flatMap(([part, own]) => [
    `${partTitles[part]}:`,
    ...own.map(
      (row) => `  ${[row.subject, row.figure].join(': ')}: ${formatPair(row)}${formatVerdict(row)}`,
    ),
    '',
  ]);
}

function formatPair({ real, model, unit }: CheckRow): string {
  if (real === undefined || model === undefined) return '';
  return `${formatFigure(real)}, model ${formatFigure(model)}${unit && ` ${unit}`}; `;
}

/** What the row's verdict is, in words. */
export function formatVerdict({ verdict, words }: CheckRow): string {
  if (verdict === 'agrees') return 'agrees';
  return verdict === 'deviates' ? words : `UNEXPLAINED: ${words}`;
}

/** A number with three digits, or all before the point. */
export function formatFigure(value: number | undefined): string {
  if (value === undefined) return '';
  const digits = value < 10 ? 2 : 1;
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? digits : 0 });
}
