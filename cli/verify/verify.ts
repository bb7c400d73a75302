import { CommandError } from '../../terminal/command-error.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Connection, ClickTable } from '../connection.ts';
import { type DayRow, Recount, type Page, type TotalRow } from './recount.ts';
import { findFirstDay } from './marker-window.ts';
import { readTotal } from './read-total.ts';
import { estimateItems, scanTable } from './scan.ts';

export interface VerifyOptions {
  code?: string;
  /** Recount days from this one on, yyyy-mm-dd, where the marker window is older. */
  since?: string;
  segments: number;
}

/** A count that is not what it must be. */
export type Drift =
  | { kind: 'total'; code: string; clicks: number | null; sumOfDays: number; drift: number }
  | { kind: 'day'; code: string; day: string; count: number; markers: number; drift: number };

export interface Verification {
  links: number;
  clicks: number;
  /** Days that were recounted, and the markers of their clicks. */
  days: number;
  markers: number;
  since: string;
  /** Links that changed too fast to be read at one moment. */
  unconfirmed: number;
}

/**
 * Compares each link's total with the sum of its days, and each day of the marker window with its
 * markers, and hands every drift to `onDrift`. The table is read once; what looks uneven then may
 * be the clicks that came in meanwhile, so a total is read again in one transaction, and for days
 * the table is read a second time.
 *
 * @throws {CommandError} where there is no such link.
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
    await scan('first reading', false, (page) => recount.addPage(page, since));
    const sums = recount.sumUp();
    if (code !== undefined && sums.links === 0 && !signal.aborted) {
      throw new CommandError(`There is no link ${code} in ${connection.stackName}.`);
    }
    const unconfirmed = await confirmTotals(connection.table, recount, onDrift, signal);
    if (recount.hasUnevenDays() && !signal.aborted) {
      await scan('second reading', true, (page) => recount.addSecondPage(page));
      if (!signal.aborted) for (const row of recount.driftedDays()) onDrift(describeDay(row));
    }
    return { ...sums, since, unconfirmed };
  } finally {
    recount.close();
  }
}

/** Reads the whole table once, with a progress bar. */
async function prepareScan(table: ClickTable, { code, segments }: VerifyOptions, signal: AbortSignal) {
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

/** Returns how many could not be read at one moment. */
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

// Of the two readings, those that contradict each other.
function describeDay({ code, day, count1, markers1, count2, markers2 }: DayRow): Drift {
  const [count, markers] = count1 > markers2 ? [count1, markers2] : [count2, markers1];
  return { kind: 'day', code, day, count, markers, drift: count - markers };
}
