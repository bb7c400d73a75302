import { describe, expect, test } from 'vitest';
import {
  findTraffic,
  peakRate,
  rateAt,
  type Traffic,
  traffics,
} from '../../../capacity/traffic.ts';

const steady: Traffic = {
  ...{ name: 'steady', title: 'steady', clicksPerSecond: 100 },
  law: { links: 10, hotShare: 0 },
  ...{ measureFromSeconds: 5, untilSeconds: 60, drains: false },
};
const spike: Traffic = { ...steady, spike: { fromSeconds: 20, untilSeconds: 30, factor: 10 } };

describe('the rate', () => {
  test.each([
    [0, 100],
    [59.98, 100],
    [60, 0],
    [1_000, 0],
  ])('of a steady traffic after %d s is %d', (seconds, rate) => {
    expect(rateAt(steady, seconds)).toBe(rate);
  });

  test.each([
    [19.98, 100],
    [20, 1_000],
    [29.98, 1_000],
    [30, 100],
    [60, 0],
  ])('of a traffic with a spike after %d s is %d', (seconds, rate) => {
    expect(rateAt(spike, seconds)).toBe(rate);
  });

  test('is highest in the spike', () => {
    expect(peakRate(steady)).toBe(100);
    expect(peakRate(spike)).toBe(1_000);
  });
});

test('a traffic is found by its name', () => {
  expect(findTraffic('busy')).toMatchObject({ clicksPerSecond: 1_000, law: { links: 100_000 } });
});

test('a name that no traffic has is refused, with those that there are', () => {
  expect(() => findTraffic('busier')).toThrow(
    'expected one of quiet, busy, viral, peak, peak-viral, spike, outage; got busier',
  );
});

test.each(traffics)('$name is measured after its warm-up', (traffic) => {
  const { measureFromSeconds, untilSeconds, spike: peak, outage } = traffic;

  expect(measureFromSeconds).toBeLessThan(untilSeconds);
  for (const trouble of [peak, outage]) {
    if (!trouble) continue;
    expect(trouble.fromSeconds).toBeGreaterThan(measureFromSeconds);
    expect(trouble.untilSeconds).toBeLessThan(untilSeconds);
  }
});
