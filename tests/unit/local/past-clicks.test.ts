import { describe, expect, test } from 'vitest';
import { parseClick } from '../../../lib/clicks/click.ts';
import { inventPastClicks } from '../../../local/screenshots/past-clicks.ts';

const nowMs = Date.parse('2026-11-22T09:30:00Z');
const clicks = inventPastClicks('spring', 30, nowMs);

const countBy = (name: string) =>
  Object.fromEntries(
    Map.groupBy(clicks, (click) => click[name])
      .entries()
      .map(([value, some]) => [value, some.length]),
  );

describe('the clicks of the pictures', () => {
  test('are on each of the days, and none is still to come', () => {
    const days = new Set(clicks.map(({ at }) => at.slice(0, 'yyyy-mm-dd'.length)));

    expect(days.size).toBe(30);
    expect([...days].toSorted()[0]).toBe('2026-10-24');
    expect(clicks.filter(({ at }) => Date.parse(at) > nowMs)).toEqual([]);
  });

  test('are clicks that the service takes, each with an id of its own', () => {
    const ids = clicks.map((detail) => parseClick(JSON.stringify({ detail }), nowMs).id);

    expect(new Set(ids).size).toBe(clicks.length);
  });

  test('are the same ones each time, but for their ids', () => {
    const withoutIds = (some: typeof clicks) => some.map(({ clickId: _, ...click }) => click);

    expect(withoutIds(inventPastClicks('spring', 30, nowMs))).toEqual(withoutIds(clicks));
  });

  test('are as varied as those of people', () => {
    const { mobile = 0, tablet = 0 } = countBy('device');
    const { bot = 0, human = 0 } = countBy('visitor');

    expect(mobile).toBeGreaterThan(tablet);
    expect(human).toBeGreaterThan(bot);
    expect(Object.keys(countBy('referrer'))).toHaveLength(9);
  });
});
