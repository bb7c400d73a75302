// The page shares this file, so it must run in browsers.
import { listConflictingCodes } from '../../keys.ts';
import { type Outcome, type Row, shortenCode } from './import-rows.ts';

/**
 * Finds codes that several rows of a file have. A dry run has a request for each batch of rows, so the service
 * doesn't know the others.
 */
export class RepeatedCodes {
  /** The lines of the rows that are ready, by code. */
  readonly #lines = new Map<string, number>();

  /** The outcomes of a dry run of the file's next rows. Those with the code of an earlier one are refused. */
  reject(rows: readonly Row[], outcomes: readonly Outcome[]): Outcome[] {
    return rows.map((row, index) => this.#check(row, outcomes[index] ?? { outcome: 'refused' }));
  }

  #check({ code, line }: Row, outcome: Outcome): Outcome {
    if (code === undefined || outcome.outcome === 'existing') return outcome;
    const [earlier] = listConflictingCodes(code).flatMap((one) => this.#lines.get(one) ?? []);
    if (earlier !== undefined) {
      const message = `Line ${earlier} has the code ${shortenCode(code)} too. Choose another one, or leave it out.`;
      return { outcome: 'refused', message };
    }
    if (outcome.outcome === 'ready') this.#lines.set(code, line);
    return outcome;
  }
}
