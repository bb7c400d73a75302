import { describe, expect, test } from 'vitest';
import {
  advance,
  countIn,
  expectAttempt,
  isComplete,
  locate,
  noProgress,
  type PipelinePart,
  takeReading,
} from '../../../dashboard/try/try-run.ts';

const run = { run: 'a run', attempts: 3, attemptSeconds: 30 };
const hundred = { ...run, messages: 110, clicks: 100 };
const twice = { ...run, messages: 2, clicks: 1 };
const broken = { ...run, messages: 1, clicks: 0, reason: 'no date' };
const at = (second: number) => `2026-11-22T07:00:${`${second}`.padStart(2, '0')}.000Z`;
const reading = (waiting: number, second: number, setAside = 0) => ({
  ...{ waiting, setAside },
  readAt: at(second),
});
const now = { setAsideBefore: 2, seconds: 0 };

describe('a message of a run', () => {
  test('is in the table only if the API has counted it', () => {
    const places = locate(hundred, { ...noProgress, counted: 97 }, 5);

    expect([countIn('table', places), countIn('queue', places)]).toEqual([97, 13]);
  });

  test('that is a copy shows as a duplicate only once every click is counted and the queue is empty', () => {
    expect(locate(twice, { ...noProgress, counted: 1 }, 5)).toEqual(['table', 'queue']);
    expect(locate(twice, { ...noProgress, counted: 0, isDrained: true }, 5)).toEqual([
      'queue',
      'queue',
    ]);
    expect(locate(twice, { ...noProgress, counted: 1, isDrained: true }, 5)).toEqual([
      'table',
      'duplicates',
    ]);
  });

  test('that is broken returns to the queue after each attempt, until it is set aside', () => {
    const placeAt = (seconds: number, isSetAside = false) =>
      locate(broken, { ...noProgress, isSetAside }, seconds)[0];

    expect([0, 10, 30, 45, 61, 200].map((seconds) => placeAt(seconds))).toEqual([
      'aggregator',
      'queue',
      'aggregator',
      'queue',
      'aggregator',
      'queue',
    ] satisfies PipelinePart[]);
    expect(placeAt(91, true)).toBe('setAside');
  });
});

describe('a run', () => {
  test('with copies is complete only once a reading shows an empty queue', () => {
    const counted = { ...noProgress, counted: 100 };

    expect(isComplete(hundred, counted)).toBe(false);
    expect(isComplete(hundred, { ...counted, isDrained: true })).toBe(true);
  });
});

describe('a reading of the queues', () => {
  const counted = { ...noProgress, counted: 100 };

  test('may be older than the last click, so only a later one proves an empty queue', () => {
    const first = takeReading(hundred, counted, reading(0, 1), now);
    const same = takeReading(hundred, first, reading(0, 1), now);
    const soon = takeReading(hundred, same, reading(0, 2), now);
    const later = takeReading(hundred, soon, reading(0, 4), now);

    expect([first, same, soon, later].map(({ isDrained }) => isDrained)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('shows a message as set aside only after its attempts, and if the number has risen', () => {
    const isSetAside = (setAside: number, seconds: number) =>
      takeReading(broken, noProgress, reading(0, 1, setAside), { setAsideBefore: 2, seconds })
        .isSetAside;

    expect(isSetAside(3, 59)).toBe(false);
    expect(isSetAside(2, 95)).toBe(false);
    expect(isSetAside(3, 95)).toBe(true);
  });
});

test("the expected attempt follows the queue's settings", () => {
  expect([0, 2, 29, 30, 75, 95].map((seconds) => expectAttempt(run, seconds))).toEqual([
    { number: 1, isRunning: true, secondsLeft: 30 },
    { number: 1, isRunning: false, secondsLeft: 28 },
    { number: 1, isRunning: false, secondsLeft: 1 },
    { number: 2, isRunning: true, secondsLeft: 30 },
    { number: 3, isRunning: false, secondsLeft: 15 },
    { number: 3, isRunning: false, secondsLeft: 0 },
  ]);
});

describe('the animation', () => {
  test('moves a message one place at a time', () => {
    const way: PipelinePart[] = ['start'];
    for (let step = 0; step < 5; step += 1) way.push(...advance(way.slice(-1), ['duplicates'], 1));

    expect(way).toEqual(['start', 'bus', 'queue', 'aggregator', 'duplicates', 'duplicates']);
  });
});
