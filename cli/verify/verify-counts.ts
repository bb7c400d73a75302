import { setTimeout } from 'node:timers/promises';
import { maxAheadMs } from '../../lib/clicks/click.ts';
import { dayMs, utcDay } from '../../lib/days.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { confirmCampaigns } from '../../lib/links/storage/campaign-drift.ts';
import { findUnevenTotals, readSnapshot } from '../../lib/links/storage/days.ts';
import { type Connection, readRetention } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import {
  breakdownDrift,
  campaignDrift,
  type Drift,
  hashDrift,
  sumsDrift,
  totalDrift,
} from './drifts.ts';
import { Recount, type Sums } from './recount.ts';
import { scanTable } from './scan.ts';
import { findWrongSums } from './stored-sums.ts';
import { confirmVisitors } from './visitors.ts';

const readsAtOnce = 10;
const maxAttempts = 10;
const pauseMs = 50;

export interface VerifyOptions {
  /** Checks only this link, and doesn't report slots without a day. */
  code?: string;
  /** Recount only from this day, yyyy-mm-dd, if it lies within the marker window. */
  since?: string;
  segments: number;
}

export interface Verification extends Sums {
  /** The first recounted day. */
  since: string;
  /** Links that changed too fast for a consistent snapshot. */
  unconfirmed: number;
}

/**
 * Compares each link's totals with the sums of its days, each day with the sum of each breakdown and with
 * its campaigns and visitors, each link's stored sums with its days, and each day of the marker window with its
 * markers, and passes every drift to `onDrift`. Clicks that arrive during a scan can look like drift. So a
 * differing total or campaign and too many visitors are read again in one transaction, and differing days are
 * checked by a second scan.
 *
 * @throws {CommandError} if the link doesn't exist.
 */
export async function verifyCounts(
  connection: Connection,
  options: VerifyOptions,
  onDrift: (drift: Drift) => void,
  signal: AbortSignal,
): Promise<Verification> {
  const { code } = options;
  const { table } = connection;
  const firstDay = await findFirstDay(connection);
  const since = options.since === undefined || options.since < firstDay ? firstDay : options.since;
  const scan = { ...options, signal };
  const recount = new Recount({ code, since });
  try {
    await scanTable(table, { ...scan, pass: 'first' }, (scanned) => recount.addFirst(scanned));
    const sums = recount.sumUp();
    if (code !== undefined && sums.links === 0 && !signal.aborted) {
      throw new CommandError(`There is no link ${code} in ${connection.stackName}.`);
    }
    for (const day of recount.unevenBreakdowns()) onDrift(breakdownDrift(day));
    const unconfirmed = await confirmSuspects(table, recount, onDrift, signal);
    await compareStoredSums(table, recount, onDrift, signal);
    if (recount.hasUnevenDays() && !signal.aborted) {
      await scanTable(table, { ...scan, pass: 'second' }, (scanned) => recount.addSecond(scanned));
      if (!signal.aborted) for (const row of recount.drifts()) onDrift(hashDrift(row));
    }
    return { ...sums, since, unconfirmed };
  } finally {
    recount.close();
  }
}

/**
 * Reads each total, campaign and number of visitors that looks wrong again, in one transaction, and reports
 * those that are wrong. Returns how many changed too fast to be read.
 */
async function confirmSuspects(
  table: TableAccess,
  recount: Recount,
  onDrift: (drift: Drift) => void,
  signal: AbortSignal,
): Promise<number> {
  const confirmAll = async <Suspect>(
    suspects: Iterable<Suspect>,
    findDrifts: (suspect: Suspect) => Promise<readonly Drift[] | undefined>,
  ): Promise<number> => {
    let unconfirmed = 0;
    for (const suspect of suspects) {
      if (signal.aborted) break;
      const drifts = await tryRepeatedly(() => findDrifts(suspect));
      if (!drifts) unconfirmed += 1;
      for (const drift of drifts ?? []) onDrift(drift);
    }
    return unconfirmed;
  };
  const totals = await confirmAll(recount.unevenTotals(), async ({ code }) => {
    const snapshot = await readSnapshot(table, code);
    return snapshot && findUnevenTotals(snapshot).map((total) => totalDrift(code, total));
  });
  const campaigns = await confirmAll(recount.unevenCampaigns(), async (linkDay) => {
    const uneven = await confirmCampaigns(table, linkDay.code, linkDay.day);
    return uneven?.map((sums) => campaignDrift(linkDay, sums));
  });
  const visitors = await confirmAll(recount.tooManyVisitors(), (linkDay) =>
    confirmVisitors(table, linkDay),
  );
  return totals + campaigns + visitors;
}

/** Reports stored sums that aren't those of their days, whose reads cost as much as those of the scan. */
async function compareStoredSums(
  table: TableAccess,
  recount: Recount,
  onDrift: (drift: Drift) => void,
  signal: AbortSignal,
): Promise<void> {
  const links = recount.summedLinks()[Symbol.iterator]();
  const compare = async () => {
    // All loops take from the same iterator.
    for (let next = links.next(); !next.done && !signal.aborted; next = links.next()) {
      const { code } = next.value;
      for (const wrong of await findWrongSums(table, code)) onDrift(sumsDrift(code, wrong));
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, compare));
}

/**
 * Finds the first UTC day, yyyy-mm-dd, whose markers can't have expired yet. A click may arrive
 * `maxAheadMs` before its day begins. Leaving out the bus's retries shortens the window by a day,
 * which leaves time for a long scan. Slots have the same window, because a sheet lives at least as
 * long as each of its slots must.
 */
async function findFirstDay(connection: Connection): Promise<string> {
  const { queueRetentionMs, deadLetterRetentionMs } = await readRetention(connection);
  const markerLifeMs = queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
  const oldestDay = Math.ceil((Date.now() - markerLifeMs + maxAheadMs) / dayMs);
  return utcDay(oldestDay * dayMs);
}

/**
 * Reads a consistent snapshot while clicks arrive. Returns undefined after ten failed attempts, which means
 * that its items keep changing.
 */
async function tryRepeatedly<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const snapshot = await read();
    if (snapshot) return snapshot;
    await setTimeout(pauseMs * attempt * Math.random());
  }
  return undefined;
}
