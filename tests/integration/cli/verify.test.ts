import { DynamoDBDocumentClient, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toBytes } from '../../../lib/clicks/visitor-sketch.ts';
import { sumsKey } from '../../../lib/keys.ts';
import type { DayCount } from '../../../lib/links/api/answer-schemas.ts';
import { packDays } from '../../../lib/overview/day-sums.ts';
import {
  brokenDownDay,
  campaignItems,
  dayOf,
  isoDay,
  link,
  marker,
  producer,
  sheet,
} from '../../helpers/items.ts';
import { useOperatedStack } from '../../helpers/operator.ts';

const today = isoDay();
// This day's markers have all expired.
const longAgo = '2024-02-29';
const stack = useOperatedStack();
const verify = (...args: string[]) => stack.run('verify.ts', args);
const readDrifts = async (...args: string[]) =>
  JSON.parse((await verify('--json', ...args)).stdout);

const markers = (code: string, day: string, count: number) =>
  Array.from({ length: count }, (_, index) => marker(`${code}-${day}-${index}`, code, day));

const clicks = (code: string, day: string, count: number) =>
  Array.from({ length: count }, () => ({ code, day }));

/**
 * Two links whose clicks on this day have equal slots: the first five bytes of md5('["<code>","<day>"]').
 * Found by trying link-0, link-1 and so on. The day is in the future, so its markers don't expire.
 */
const twin = 'link-688998';
const otherTwin = 'link-769808';
const twinDay = '2999-12-31';
const twinItems = [twin, otherTwin].flatMap((code) => [link(code, 2), dayOf(code, twinDay, 2)]);

const soundItems = [
  ...[
    link('one', 5),
    dayOf('one', longAgo, 2),
    dayOf('one', today, 3),
    ...markers('one', today, 3),
  ],
  link('two', 0),
];

test('correct counts have no drift, on sheets and in single markers', async () => {
  await stack.table.put(
    ...soundItems,
    ...[link('sheeted', 5), dayOf('sheeted', today, 5)],
    sheet(`${producer}#0`, [...clicks('sheeted', today, 3), ...clicks('mixed', today, 1)]),
    sheet(`${producer}#1`, clicks('sheeted', today, 2)),
    ...[link('mixed', 3), dayOf('mixed', today, 3), ...markers('mixed', today, 2)],
    ...[...twinItems, sheet(`${producer}#2`, clicks(twin, twinDay, 4))],
    ...[{ ...link('campaign', 3), vh: 3 }, brokenDownDay('campaign', longAgo, 3, { utm: 2 })],
    ...campaignItems('campaign', longAgo, {
      utm_source: { a: 1, b: 1 },
      utm_medium: { other: 2 },
      utm_campaign: { c: 2, 'stored, but not counted yet': 0 },
    }),
    // A purge is about to delete its day, and has begun with that of its campaigns.
    ...campaignItems('purged', longAgo, { utm_source: { a: 1 } }),
    { PK: 'LINK#purged', SK: 'META', purgedAt: `${today}T00:00:00.000Z`, since: '9999' },
    dayOf('purged', longAgo, 2),
  );

  const { code, stdout } = await verify();

  expect(code).toBe(0);
  expect(stdout.replace(/since \d{4}-\d{2}-\d{2}/, 'since a day')).toBe(
    'Checked 8 links (20 clicks) of the local stack at http://127.0.0.1:1. ' +
      'Compared 15 clicks on 5 days since a day with 15 markers. ' +
      "Earlier days (5 clicks) weren't compared. No drift.\n",
  );
});

test('each count that differs from what it sums up is reported, in text and in JSON', async () => {
  await stack.table.put(
    ...soundItems,
    ...[link('more', 7), dayOf('more', longAgo, 4)],
    { ...link('visited', 5), vh: 3, vb: 1 },
    brokenDownDay('visited', longAgo, 5, { vh: 3, vb: 2 }),
    dayOf('ghost', longAgo, 2),
    ...[link('over', 4), dayOf('over', today, 4), ...markers('over', today, 3)],
    ...[link('under', 1), dayOf('under', today, 1), ...markers('under', today, 2)],
    ...[link('missing', 0), ...markers('missing', today, 1)],
    ...[{ ...link('raised', 7), vh: 7 }, brokenDownDay('raised', longAgo, 3, { dm: 1 })],
    brokenDownDay('raised', '2024-03-01', 4),
    { ...link('lowered', 3), vh: 3 },
    brokenDownDay('lowered', today, 3, { h10: 1, ro: 'three' }),
    ...markers('lowered', today, 3),
    ...[{ ...link('campaign', 3), vh: 3 }, brokenDownDay('campaign', longAgo, 3, { utm: 2 })],
    ...campaignItems('campaign', longAgo, {
      utm_source: { a: 1, other: 1 },
      utm_medium: { x: 3 },
      utm_campaign: { c: 1, d: 1 },
    }),
    ...[link('shadow'), ...campaignItems('shadow', longAgo, { utm_source: { a: 1 } })],
    ...[...twinItems, sheet(`${producer}#0`, clicks(twin, twinDay, 3))],
    { ...sheet(`${producer}#1`, []), a1: Buffer.from('c0ffee00', 'hex') },
  );

  // One of its counted values is missing.
  await stack.table.put({ PK: 'LINK#campaign', SK: `UTM#${longAgo}#utm_campaign`, v0: 'c' });

  const { code, stdout } = await verify();
  const { drifts, ...rest } = await readDrifts('--segments', '3');

  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, -2).toSorted()).toEqual(
    [
      'drift +3  more: the total is 7, but its days sum to 4',
      'drift -1  visited: the number of bots is 1, but its days sum to 2',
      'drift -2  ghost: the link does not exist, but its days sum to 2',
      `drift +1  over ${today}: the day's count is 4, but the number of markers is 3`,
      `drift -1  under ${today}: the day's count is 1, but the number of markers is 2`,
      `drift -1  missing ${today}: the day's count is 0, but the number of markers is 1`,
      `drift +1  raised ${longAgo}: the day's count is 3, but its device values sum to 4`,
      `drift -2  lowered ${today}: the day's count is 3, but its hour values sum to 1`,
      `drift +1  ${twin} ${twinDay}, ${otherTwin} ${twinDay}: their counts sum to 4, but the number of markers is 3`,
      `drift +1  campaign ${longAgo}: 2 clicks have a campaign, but the utm_medium values sum to 3`,
      `drift +1  campaign ${longAgo}: utm_campaign counts 2 values, but 1 are stored`,
      `drift +1  shadow ${longAgo}: 0 clicks have a campaign, but the utm_source values sum to 1`,
      "drift -1  hash c0ffee00: found in 1 slot, but not in any link's day",
    ].toSorted(),
  );
  expect(stdout).toContain(' 13 drifts.\n');
  expect(drifts).toHaveLength(13);
  expect(drifts).toContainEqual({
    kind: 'day',
    code: 'under',
    day: today,
    drift: -1,
    count: 1,
    markers: 2,
  });
  expect(rest).toMatchObject({ clicks: 39, complete: true });
  expect((await readDrifts('--code', 'raised')).drifts).toMatchObject([{ code: 'raised' }]);
});

/** A day's marks: each a bucket, times 32, and a rank. */
const sketchOf = (code: string, ...marks: number[]) => ({
  PK: `LINK#${code}`,
  SK: `VISITORS#${longAgo}`,
  sketch: toBytes(new Set(marks)),
});

test('visitors are compared with clicks by people, and a sketch that cannot be read is reported', async () => {
  await stack.table.put(
    ...['right', 'many', 'newer'].map((code) => ({ ...link(code, 2), vh: 2 })),
    ...['right', 'many', 'newer'].map((code) => brokenDownDay(code, longAgo, 2, { vh: 2 })),
    sketchOf('right', 33, 65),
    sketchOf('many', 33, 65, 97),
    { ...sketchOf('newer'), sketch: Buffer.from([9, 9]) },
    sketchOf('dayless', 33),
    { PK: 'LINK#purged', SK: 'META', purgedAt: `${today}T00:00:00.000Z` },
    sketchOf('purged', 33),
  );

  const { code, stdout } = await verify();
  const { drifts, visitedDays } = await readDrifts();

  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, -2).toSorted()).toEqual([
    `drift +1  dayless ${longAgo}: the day has 0 clicks by people, but its visitors are at least 1`,
    `drift +1  many ${longAgo}: the day has 2 clicks by people, but its visitors are at least 3`,
    `drift 0  newer ${longAgo}: its visitors aren't a sketch of a known form`,
  ]);
  expect(stdout).toContain(
    " Visitors of 5 days can't be recounted, only compared with clicks by people.",
  );
  expect(drifts).toContainEqual({
    kind: 'visitors',
    code: 'many',
    day: longAgo,
    drift: 1,
    people: 2,
    visitors: 3,
  });
  expect(visitedDays).toBe(5);
});

/** The sums that an overview stored when a link's days were these. */
const sumsOf = (code: string, days: DayCount[], earlier: number[] = [0, 0, 0]) => ({
  ...sumsKey(code),
  version: 1,
  createdAt: link(code).createdAt,
  clicks: days.reduce((sum, { count }) => sum + count, earlier[0] ?? 0),
  earlier,
  days: packDays(days),
});

test('stored sums that no state of the days can have had are reported', async () => {
  const first = '2024-02-28';
  const second = longAgo;
  const codes = ['right', 'stale', 'high', 'people', 'bots', 'late', 'taken'];
  const ofFirst = { date: first, count: 2, people: 2, bots: 0 };
  const ofSecond = { date: second, count: 3, people: 2, bots: 1 };
  await stack.table.put(
    ...codes.flatMap((code) => [
      { ...link(code, 5), vh: 4, vb: 1 },
      brokenDownDay(code, first, 2, { vh: 2 }),
      brokenDownDay(code, second, 3, { vh: 2, vb: 1 }),
    ]),
    sumsOf('right', [ofFirst, ofSecond]),
    sumsOf('stale', [{ ...ofSecond, count: 1, bots: 0, people: 1 }], [2, 2, 0]),
    sumsOf('high', [
      { ...ofFirst, count: 3 },
      { ...ofSecond, count: 2, people: 1 },
    ]),
    sumsOf('people', [{ ...ofFirst, people: 1, bots: 1 }, ofSecond]),
    sumsOf('bots', [{ ...ofFirst, count: 1, people: 0, bots: 1 }, ofSecond]),
    sumsOf('late', [ofSecond], [4, 2, 2]),
    { ...sumsOf('taken', [{ ...ofFirst, count: 9 }]), createdAt: '2020-01-01T00:00:00.000Z' },
    sumsOf('purged', [ofFirst]),
  );

  const { code, stdout } = await verify();

  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, -2).toSorted()).toEqual([
    `drift +1  high ${first}: the stored sums have 3 clicks, 2 by people and 0 by bots, but the days have 2 clicks, 2 by people and 0 by bots`,
    `drift +2  late until ${first}: the stored sums have 4 clicks, 2 by people and 2 by bots, but the days have 2 clicks, 2 by people and 0 by bots`,
    `drift -1  bots ${first}: the stored sums have 1 click, 0 by people and 1 by bots, but the days have 2 clicks, 2 by people and 0 by bots`,
    `drift 0  people ${first}: the stored sums have 2 clicks, 1 by people and 1 by bots, but the days have 2 clicks, 2 by people and 0 by bots`,
  ]);
  expect((await verify('--code', 'right')).code).toBe(0);
  expect((await verify('--code', 'high')).code).toBe(1);
});

test('only days whose markers cannot have expired are recounted', async () => {
  const daysAgo = (days: number) => isoDay(Date.now() - days * 86_400_000);
  // Markers live for 23 days, one of which the bus may use up. A click may be dated a day ahead.
  await stack.table.put(
    ...[link('edge', 5), dayOf('edge', daysAgo(20), 3), dayOf('edge', daysAgo(21), 2)],
    // Some of an old day's slots may be left, or more than it counts.
    sheet(`${producer}#0`, clicks('edge', daysAgo(21), 3)),
  );

  const { drifts, since } = await readDrifts();

  const day = { day: daysAgo(20), count: 3, markers: 0, drift: 3 };
  expect(since).toEqual(daysAgo(20));
  expect(drifts).toEqual([{ kind: 'day', code: 'edge', ...day }]);
  expect((await verify('--since', daysAgo(19))).code).toBe(0);
});

test('with --code, a single link is checked', async () => {
  await stack.table.put(
    ...[...soundItems, ...twinItems, link('more', 7), dayOf('more', longAgo, 4)],
    sheet(`${producer}#0`, [...clicks(twin, twinDay, 4), ...clicks('nobody', today, 1)]),
  );

  const checked = [];
  for (const code of ['one', twin, 'more', 'nowhere']) checked.push(await verify('--code', code));

  expect(checked.map(({ code }) => code)).toEqual([0, 0, 1, 2]);
  expect(checked[0]?.stdout).toContain('Checked 1 link (5 clicks) of the local stack');
  expect(checked[3]?.stderr).toContain('error: There is no link nowhere in the local stack');
});

test('a total is read again before drift is reported', async () => {
  const { send } = DynamoDBDocumentClient.prototype;
  await stack.table.put(link('one', 4), dayOf('one', longAgo, 5), sketchOf('one', 33));
  // As if a click had been counted between the scan's reads of the total, the day and its visitors.
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: DynamoDBDocumentClient,
    ...request: Parameters<typeof send>
  ) {
    if (request[0] instanceof TransactGetCommand) {
      await stack.table.put({ ...link('one', 5), vh: 5 }, brokenDownDay('one', longAgo, 5));
    }
    return send.apply(this, request);
  });
  onTestFinished(() => void vi.restoreAllMocks());

  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift.') });
});
