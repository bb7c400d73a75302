import { CommandError } from '../../terminal/command-error.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { ClickTable, Connection } from '../connection.ts';
import { findFirstDay } from './marker-window.ts';
import { readTotal } from './read-total.ts';
import { type DayRow, type Page, Recount, type TotalRow } from './recount.ts';
import { estimateItems, scanTable } from './scan.ts';

export interface VerifyOptions {
  code?: string;
  /** Recount only from this day, yyyy-mm-dd, if it lies within the marker window. */
  since?: string;
  segments: number;
}

/** A wrong count. */
export type Drift =
  | { kind: 'total'; code: string; clicks: number | null; sumOfDays: number; drift: number }
  | { kind: 'day'; code: string; day: string; count: number; markers: number; drift: number };

export interface Verification {
  links: number;
  clicks: number;
  /** The recounted days, and the markers of their clicks. */
  days: number;
  markers: number;
  since: string;
  /** Links that changed too fast for a consistent snapshot. */
  unconfirmed: number;
}

/**
 * Compares each link's total with the sum of its days, and each day of the marker window with its
 * markers, and passes every drift to `onDrift`. Clicks that arrive during a scan can look like
 * drift. So a differing total is read again in one transaction, and differing days are checked by a
 * second scan.
 *
 * @throws {CommandError} if the link does not exist.
 */
export async function verifyCounts(
  connection: Connection,
  options: VerifyOptions,
  onDrift: (drift: Drift) => void,
  signal: AbortSignal,
): Promise<Verification> {
  const { code } = options;
  const firstDay = await findFirstDay(connection);
  const since = options.since === undefined || options.since < firstDay ? firstDay : options.since;
  const scan = await prepareScan(connection.table, options, signal);
  const recount = new Recount();
  try {
    await scan('first scan', false, (page) => recount.addPage(page, since));
    const sums = recount.sumUp();
    if (code !== undefined && sums.links === 0 && !signal.aborted) {
      throw new CommandError(`There is no link ${code} in ${connection.stackName}.`);
    }
    const unconfirmed = await confirmTotals(connection.table, recount, onDrift, signal);
    if (recount.hasUnevenDays() && !signal.aborted) {
      await scan('second scan', true, (page) => recount.addSecondPage(page));
      if (!signal.aborted) for (const row of recount.driftedDays()) onDrift(describeDay(row));
    }
    return { ...sums, since, unconfirmed };
  } finally {
    recount.close();
  }
}

/** Returns a function that scans the whole table and shows its progress. */
async function prepareScan(
  table: ClickTable,
  { code, segments }: VerifyOptions,
  signal: AbortSignal,
) {
  const items = await estimateItems(table);
  return async (name: string, consistent: boolean, onPage: (page: Page) => void) => {
    const progress = createProgress(items, `items, ${name}`);
    const add = (page: Page, scanned: number) => {
      onPage(page);
      progress.add(scanned);
    };
    try {
      await scanTable(table, { code, segments, consistent, signal }, add);
    } finally {
      progress.end();
    }
  };
}

/** Reports the drifted totals, and returns how many had no consistent snapshot. */
async function confirmTotals(
  table: ClickTable,
  recount: Recount,
  onDrift: (drift: Drift) => void,
  signal: AbortSignal,
): Promise<number> {
  let unconfirmed = 0;
  for (const { code } of recount.unevenTotals()) {
    if (signal.aborted) break;
    const total = await readTotal(table, code);
    if (!total) unconfirmed += 1;
    else if (total.clicks !== total.sum) onDrift(describeTotal(total));
  }
  return unconfirmed;
}

function describeTotal({ code, clicks, sum }: TotalRow): Drift {
  return { kind: 'total', code, clicks, sumOfDays: sum, drift: (clicks ?? 0) - sum };
}

// Takes the two figures that contradict each other, one from each scan.
function describeDay({ code, day, count1, markers1, count2, markers2 }: DayRow): Drift {
  const [count, markers] = count1 > markers2 ? [count1, markers2] : [count2, markers1];
  return { kind: 'day', code, day, count, markers, drift: count - markers };
}
