import { expect, test } from 'vitest';
import {
  estimateVisitors,
  fromBytes,
  maxMarks,
  toBytes,
} from '../../../lib/clicks/visitor-sketch.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';

const run = useAggregator();

/** The mark with this number, of which the first 20,480 have the rank 1. */
const markOf = (number: number) => (number % 20_480) * 32 + 1 + Math.floor(number / 20_480);
const makeVisit = (id: string, code: string, visitor: number, changes = {}) =>
  makeClick(id, code, { visitor: 'human', visitorMark: markOf(visitor), ...changes });
const makeVisits = (count: number, code: string, first = 0) =>
  Array.from({ length: count }, (_, index) =>
    makeVisit(`${code}-${first + index}`, code, first + index),
  );

const readStored = async (code: string, date = day) => {
  const { sketch } = (await run.table.get(`LINK#${code}`, `VISITORS#${date}`)) ?? {};
  return sketch as Uint8Array | undefined;
};
const countVisitors = async (code: string, date = day) => {
  const stored = await readStored(code, date);
  return stored && estimateVisitors(fromBytes(stored));
};

test('a day counts each of its visitors once, whatever comes twice', async () => {
  const code = await run.createLink();
  const clicks = [
    makeVisit('visit-1', code, 1),
    makeVisit('visit-2', code, 2),
    makeVisit('visit-3', code, 1),
  ];

  await run.deliver(clicks);
  await run.deliver([...clicks, makeVisit('visit-4', code, 2)]);
  await run.deliver([makeVisit('visit-5', code, 1, { at: '2026-05-27T00:00:00Z' })]);

  expect(await countVisitors(code)).toBe(2);
  expect(await countVisitors(code, '2026-05-27')).toBe(1);
  expect(await run.readLink(code)).toEqual({ clicks: 5, days: { [day]: 4, '2026-05-27': 1 } });
});

test("a bot's click, one without a mark and one with an invalid mark count without a visitor", async () => {
  const code = await run.createLink();
  const changes = [
    { visitor: 'bot' },
    { visitor: undefined },
    { visitorMark: undefined },
    { visitorMark: '33' },
    { visitorMark: 32 },
  ];

  const answer = await run.deliver(
    changes.map((change, index) => makeVisit(`none-${index}`, code, 1, change)),
  );

  expect(answer).toEqual(failed());
  expect(await run.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
  expect(await readStored(code)).toBeUndefined();
});

test('a click of an unknown link creates nothing, not even a visitor', async () => {
  expect(await run.deliver([makeVisit('lost', 'nowhere', 1)])).toEqual(failed(0));

  expect(await run.table.list('LINK#nowhere')).toEqual([]);
});

test('a visitor who cannot be stored fails the click, which comes back as a duplicate and is stored', async () => {
  const code = await run.createLink();
  const neighbour = await run.createLink();
  const visits = [makeVisit('returns', code, 1), makeVisit('neighbour', neighbour, 1)];
  // A newer version wrote it.
  const key = { PK: `LINK#${code}`, SK: `VISITORS#${day}` };
  await run.table.put({ ...key, sketch: Uint8Array.of(9, 9) });

  expect(await run.deliver(visits)).toEqual(failed(0));
  const detail =
    "counted, but its visitor wasn't stored: expected a sketch of a known form; got 2 bytes that begin with 9";
  expect(run.failures()).toMatchObject([{ reason: 'visitor-not-stored', detail }]);
  expect(await readStored(code)).toEqual(Uint8Array.of(9, 9));
  expect(await countVisitors(neighbour)).toBe(1);
  await run.table.put(key);
  expect(await run.deliver(visits)).toEqual(failed());

  expect(await countVisitors(code)).toBe(1);
  expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
});

test(
  'ten aggregators that unite at once lose nobody, with few visitors and with many',
  async () => {
    const code = await run.createLink();
    const batches = Array.from({ length: 10 }, (_, index) =>
      // Each shares half of its visitors with the next one.
      makeVisits(90, code, index * 60),
    );
    const answers = await Promise.all(batches.map((bodies) => run.deliver(bodies, {}, patientMs)));

    expect(answers).toEqual(batches.map(() => failed()));
    const all = new Set(Array.from({ length: 630 }, (_, index) => markOf(index)));
    expect(all.size).toBeGreaterThan(2 * maxMarks);
    expect(await readStored(code)).toEqual(new Uint8Array(toBytes(all)));
  },
  patientMs,
);

// In a transaction, the link, its day and the marker cost two units each.
const noVisitor = { writeUnits: 6, readUnits: 0, requests: 1, cancelled: 0 };
const newVisitor = { ...noVisitor, writeUnits: 7, requests: 2 };
/** An eventually consistent read costs half a unit. */
const readFirst = { ...newVisitor, readUnits: 0.5, requests: 3 };
const times = <T>(count: number, price: T) => Array.from({ length: count }, () => price);

/** An aggregator that counts a visit of each of these visitors, and what each cost. */
function openPricedEnvironment(code: string) {
  const environment = run.openEnvironment();
  const priceOne = async (visitor: number) => {
    Object.assign(environment.meter, { writeUnits: 0, readUnits: 0, requests: 0, cancelled: 0 });
    const visit = makeVisit(crypto.randomUUID(), code, visitor);
    expect(await environment.deliver([visit])).toEqual(failed());
    return { ...environment.meter };
  };
  return async (...visitors: number[]) => {
    const prices = [];
    for (const visitor of visitors) prices.push(await priceOne(visitor));
    return prices;
  };
}

test('a new visitor costs one write, and four reads in a new environment, and one who returns costs nothing', async () => {
  const price = openPricedEnvironment(await run.createLink());

  expect(await price(1, 2, 3, 4)).toEqual(times(4, readFirst));
  expect(await price(5, 6)).toEqual(times(2, newVisitor));
  expect(await price(1, 6)).toEqual(times(2, noVisitor));
});

test('a write that finds another sketch than expected is followed by four reads', async () => {
  const code = await run.createLink();
  const price = openPricedEnvironment(code);
  const priceElsewhere = openPricedEnvironment(code);
  await price(1, 2, 3, 4);

  expect(await priceElsewhere(1, 5)).toEqual([
    { ...noVisitor, readUnits: 0.5, requests: 2 },
    readFirst,
  ]);
  expect(await price(6)).toEqual([{ ...newVisitor, cancelled: 1 }]);
  expect(await price(7, 8, 9, 10)).toEqual(times(4, readFirst));
  expect(await price(11)).toEqual([newVisitor]);

  expect(await countVisitors(code)).toBe(11);
});
