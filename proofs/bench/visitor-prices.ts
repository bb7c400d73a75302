import { createHash } from 'node:crypto';
import { toMark } from '../../lib/clicks/visitor-sketch.ts';
import { type Aggregator, type Changes, type Price, type Row, toRow } from './priced-aggregator.ts';

export const visitedCodes = Array.from({ length: 100 }, (_, index) => `visited-${index}`);
const batchSize = 100;

/** The nth visitor, by a hash as in the service. */
const visitorOf = (number: number): Changes => ({
  visitorMark: toMark(createHash('sha256').update(`${number}`).digest()),
});

/** Clicks with and without visitors, alone and in batches on several links. */
export async function measureVisitors(aggregate: () => Promise<Aggregator>): Promise<Row[]> {
  const warm = await aggregate();
  const prices = [
    await warm.price('without visitors', 'visited-0', [{}]),
    await warm.price("a day's first visitor", 'visited-0', [visitorOf(0)]),
    await warm.price('a new visitor', 'visited-0', [visitorOf(1)]),
    await warm.price('one who returns', 'visited-0', [visitorOf(1)]),
  ];
  const other = await aggregate();
  prices.push(
    await other.price('one who returns, new environment', 'visited-0', [visitorOf(1)]),
    await other.price('a new visitor, new environment', 'visited-0', [visitorOf(2)]),
  );
  const batches: Price[][] = [];
  for (const links of [1, 20, 100]) {
    const codes = visitedCodes.slice(0, links);
    const batch = (first: number) =>
      Array.from({ length: batchSize }, (_, index) => ({
        code: codes[index % links] ?? '',
        ...visitorOf(first + index),
      }));
    const without = batch(0).map(({ code }) => ({ code }));
    const fresh = await aggregate();
    const first = 1_000 * links;
    batches.push([
      await fresh.price(`batch of ${batchSize}: without visitors`, '', without),
      await fresh.price(`batch of ${batchSize}: days seen for the first time`, '', batch(first)),
      await fresh.price(`batch of ${batchSize}: new visitors`, '', batch(first + batchSize)),
      await fresh.price(`batch of ${batchSize}: who return`, '', batch(first + batchSize)),
    ]);
  }
  const rows = Map.groupBy(batches.flat(), ({ name }) => name);
  const ofBatches = [...rows].map(([name, prices]) => ({ name, prices }));
  await warm.price(
    '',
    'visited-99',
    Array.from({ length: 5_000 }, (_, n) => visitorOf(n)),
  );
  const late = Array.from({ length: 1_000 }, (_, n) => visitorOf(100_000 + n));
  const last = await warm.price('batch of 1,000 new after 5,000', 'visited-99', late);
  return [...prices.map(toRow), ...ofBatches, toRow(last)];
}
