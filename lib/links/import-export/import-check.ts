// The page shares this file, so it must run in browsers.
import { listConflictingCodes } from '../../keys.ts';
import { type Outcome, type Row, shortenCode } from './import-rows.ts';

/**
 * The outcomes of a dry run, which doesn't know the rows of other requests. `lines` has the codes of the rows
 * that are ready, with their lines, and gets those of these rows: two rows of a file can't have one code.
 */
export function rejectRepeatedCodes(
  rows: readonly Row[],
  outcomes: readonly Outcome[],
  lines: Map<string, number>,
): Outcome[] {
  return rows.map(({ code, line }, index) => {
    const outcome: Outcome = outcomes[index] ?? { outcome: 'refused' };
    if (code === undefined || outcome.outcome === 'existing') return outcome;
    const [earlier] = listConflictingCodes(code).flatMap((one) => lines.get(one) ?? []);
    if (earlier !== undefined) {
      const message = `Line ${earlier} has the code ${shortenCode(code)} too. Choose another one, or leave it out.`;
      return { outcome: 'refused', message };
    }
    if (outcome.outcome === 'ready') lines.set(code, line);
    return outcome;
  });
}
