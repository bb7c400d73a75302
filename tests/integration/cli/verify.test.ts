import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import {
  brokenDownDay,
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

const markers = (code: string, day: string, count: number, note = '') =>
  Array.from({ length: count }, (_, index) => ({
    ...marker(`${code}-${day}-${index}`, code, day),
    note,
  }));

const clicks = (code: string, day: string, count: number) =>
  Array.from({ length: count }, () => ({ code, day }));

/**
 * Two links whose clicks on this day have equal slots: the first five bytes of md5('["<code>","<day>"]').
 * Found by trying link-0, link-1 and so on. The day is in the future, so its markers don't expire.
 */
const [twin, otherTwin, twinDay] = ['link-688998', 'link-769808', '2999-12-31'];

const soundItems = [
  link('one', 5),
  dayOf('one', longAgo, 2),
  dayOf('one', today, 3),
  ...markers('one', today, 3),
  link('two', 0),
];

test('correct counts have no drift, on sheets and in single markers', async () => {
  await stack.table.put(
    ...soundItems,
    link('sheeted', 5),
    dayOf('sheeted', today, 5),
    sheet(`${producer}#0`, [...clicks('sheeted', today, 3), ...clicks('mixed', today, 1)]),
    sheet(`${producer}#1`, clicks('sheeted', today, 2)),
    link('mixed', 3),
    dayOf('mixed', today, 3),
    ...markers('mixed', today, 2),
  );

  const { code, stdout } = await verify();

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Checked 4 links \(13 clicks\) of the local stack at http:\/\/127.0.0.1:1. Compared 11 clicks on 3 days since [\d-]+ with 11 markers. Earlier days \(2 clicks\) weren't compared. No drift.\n$/,
  );
});

const drifted = {
  total: [link('more', 7), dayOf('more', longAgo, 4)],
  bots: [
    { ...link('visited', 5), vh: 3, vb: 1 },
    brokenDownDay('visited', longAgo, 5, { vh: 3, vb: 2 }),
  ],
  ghost: [dayOf('ghost', longAgo, 2)],
  over: [link('over', 4), dayOf('over', today, 4), ...markers('over', today, 3)],
  under: [link('under', 1), dayOf('under', today, 1), ...markers('under', today, 2)],
  missing: [link('missing', 0), ...markers('missing', today, 1)],
  raised: [
    { ...link('raised', 7), vh: 7 },
    brokenDownDay('raised', longAgo, 3, { dm: 1 }),
    brokenDownDay('raised', '2024-03-01', 4),
  ],
  lowered: [
    { ...link('lowered', 3), vh: 3 },
    brokenDownDay('lowered', today, 3, { h10: 1, ro: 'three' }),
    ...markers('lowered', today, 3),
  ],
};

test('each count that differs from what it sums up is reported, in text and in JSON', async () => {
  await stack.table.put(...soundItems, ...Object.values(drifted).flat());

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
    ].toSorted(),
  );
  expect(stdout).toContain(' 8 drifts.\n');
  const day = { day: today, drift: -1 };
  const ofDay = { breakdown: 'device', day: longAgo, count: 3, sum: 4, drift: 1 };
  expect(drifts).toHaveLength(8);
  expect(drifts).toEqual(
    expect.arrayContaining([
      { kind: 'day', code: 'under', ...day, count: 1, markers: 2 },
      { kind: 'day', code: 'missing', ...day, count: 0, markers: 1 },
      { kind: 'breakdown', code: 'raised', ...ofDay },
    ]),
  );
  expect(rest).toMatchObject({ clicks: 32, complete: true });
  expect((await readDrifts('--code', 'raised')).drifts).toEqual([
    { kind: 'breakdown', code: 'raised', ...ofDay },
  ]);
});

test('slots that belong to no day are reported', async () => {
  const changed = {
    ...sheet(`${producer}#0`, clicks('one', today, 3)),
    a1: Buffer.from('c0ffee00', 'hex'),
  };
  await stack.table.put(link('one', 3), dayOf('one', today, 3), changed);

  const { stdout } = await verify();
  const { drifts } = await readDrifts();

  expect(stdout.split('\n').slice(0, 2).toSorted()).toEqual([
    `drift +1  one ${today}: the day's count is 3, but the number of markers is 2`,
    "drift -1  hash c0ffee00: found in 1 slot, but not in any link's day",
  ]);
  expect(drifts).toContainEqual({ kind: 'slots', hash: 'c0ffee00', slots: 1, drift: -1 });
});

test('days with equal slots are compared by their sum and reported together', async () => {
  await stack.table.put(
    ...[twin, otherTwin].flatMap((code) => [link(code, 2), dayOf(code, twinDay, 2)]),
    sheet(`${producer}#0`, [...clicks(twin, twinDay, 1), ...clicks(otherTwin, twinDay, 2)]),
  );

  const { drifts } = await readDrifts();
  const described = await verify();
  await stack.table.put(marker('the missing one', twin, twinDay));
  const mended = await verify();

  const days = [twin, otherTwin].map((code) => ({ code, day: twinDay }));
  expect(drifts).toEqual([{ kind: 'days', days, count: 4, markers: 3, drift: 1 }]);
  expect(described.stdout).toContain(
    'drift +1  link-688998 2999-12-31, link-769808 2999-12-31: ' +
      'their counts sum to 4, but the number of markers is 3\n',
  );
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining('No drift.')]);
});

test('only days whose markers cannot have expired are recounted', async () => {
  const daysAgo = (days: number) => isoDay(Date.now() - days * 86_400_000);
  // Markers live for 23 days, one of which the bus may use up. A click may be dated a day ahead.
  await stack.table.put(
    link('edge', 5),
    dayOf('edge', daysAgo(20), 3),
    dayOf('edge', daysAgo(21), 2),
    // Some of an old day's slots may be left, or more than it counts.
    sheet(`${producer}#0`, clicks('edge', daysAgo(21), 3)),
  );

  const { drifts, since } = await readDrifts();

  expect(since).toBe(daysAgo(20));
  expect(drifts).toEqual([
    { kind: 'day', code: 'edge', day: daysAgo(20), count: 3, markers: 0, drift: 3 },
  ]);
  expect((await verify('--since', daysAgo(19))).code).toBe(0);
});

test('with --code, a single link is checked', async () => {
  await stack.table.put(
    ...[...soundItems, ...drifted.total],
    ...[twin, otherTwin].flatMap((code) => [link(code, 2), dayOf(code, twinDay, 2)]),
    sheet(`${producer}#0`, [...clicks(twin, twinDay, 4), ...clicks('nobody', today, 1)]),
  );

  const [sound, onSharedSheet, wrong, unknown] = [
    await verify('--code', 'one'),
    await verify('--code', twin),
    await verify('--code', 'more'),
    await verify('--code', 'nowhere'),
  ];

  expect(sound.stdout).toContain('Checked 1 link (5 clicks) of the local stack');
  expect([sound, onSharedSheet, wrong, unknown].map(({ code }) => code)).toEqual([0, 0, 1, 2]);
  expect(unknown.stderr).toContain('error: There is no link nowhere in the local stack');
});

test('clicks that arrive during the scan are not reported as drift', async () => {
  const placeClick = createClickIds();
  const note = 'x'.repeat(20_000);
  await stack.table.put(
    ...[link('busy', 200), dayOf('busy', today, 200)],
    ...markers('busy', today, 200, note),
  );
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await stack.table.countClick('busy', today, placeClick('busy').clickId);
      await setImmediate();
    }
  })();

  const { code, stdout } = await verify();
  isOver = true;
  await counting;

  expect([code, stdout]).toEqual([0, expect.stringContaining('No drift.')]);
});
