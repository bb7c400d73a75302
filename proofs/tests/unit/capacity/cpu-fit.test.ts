import { describe, expect, test } from 'vitest';
import { cpuMs, cpuShare, fitCpu } from '../../../capacity/cpu-fit.ts';
import { fitLinear } from '../../../capacity/least-squares.ts';

/** Loads that differ in each of their parts, and what takes 2 + 0.1 + 0.5 + 0.02 ms. */
const loads = [
  { clicks: 1, transactions: 1, items: 3, cpuMs: 2 + 0.1 + 0.5 + 0.06 },
  { clicks: 10, transactions: 1, items: 30, cpuMs: 2 + 1 + 0.5 + 0.6 },
  { clicks: 100, transactions: 10, items: 300, cpuMs: 2 + 10 + 5 + 6 },
  { clicks: 100, transactions: 2, items: 104, cpuMs: 2 + 10 + 1 + 2.08 },
  { clicks: 1_000, transactions: 1, items: 20, cpuMs: 2 + 100 + 0.5 + 0.4 },
  { clicks: 1_000, transactions: 20, items: 1_000, cpuMs: 2 + 100 + 10 + 20 },
];

describe('a line through three points', () => {
  // (1, 1), (2, 2), (3, 2): the means are 2 and 5/3, the squares of the residuals add up to 1/6.
  const rows = [
    [1, 1],
    [1, 2],
    [1, 3],
  ];

  test('has the slope and the intercept of the textbook', () => {
    const { coefficients } = fitLinear(rows, [1, 2, 2]);

    expect(coefficients[0]).toBeCloseTo(2 / 3, 9);
    expect(coefficients[1]).toBeCloseTo(1 / 2, 9);
  });

  test('has the standard errors of the textbook', () => {
    const { standardErrors } = fitLinear(rows, [1, 2, 2]);

    expect(standardErrors[0]).toBeCloseTo(0.62361, 5);
    expect(standardErrors[1]).toBeCloseTo(0.28868, 5);
  });

  test('is refused if one column is a multiple of the other', () => {
    const dependent = [
      [1, 2],
      [2, 4],
      [3, 6],
    ];

    expect(() => fitLinear(dependent, [1, 2, 3])).toThrow('column 1 depends on others');
  });
});

describe('the fit of the CPU time', () => {
  test('finds the four terms of exact measurements', () => {
    const { fit } = fitCpu(loads);

    expect(fit.perInvocationMs).toBeCloseTo(2, 6);
    expect(fit.perClickMs).toBeCloseTo(0.1, 6);
    expect(fit.perTransactionMs).toBeCloseTo(0.5, 6);
    expect(fit.perItemMs).toBeCloseTo(0.02, 6);
  });

  test('drops what takes no time, and weighs relative errors', () => {
    // Items take no time here. Each load is measured a tenth too high and a tenth too low, so the
    // other terms come out 2 × 0.99 ÷ (0.9² + 1.1²) = 0.9802 times too large.
    const measured = loads.flatMap((load) => {
      const ms = load.cpuMs - 0.02 * load.items;
      return [0.9, 1.1].map((factor) => ({ ...load, cpuMs: factor * ms }));
    });

    const { fit, standardErrors } = fitCpu(measured);

    expect(fit.perItemMs).toBe(0);
    expect(standardErrors.perItemMs).toBe(0);
    expect(fit.perInvocationMs).toBeCloseTo(1.9604, 4);
    expect(fit.perClickMs).toBeCloseTo(0.09802, 5);
    expect(fit.perTransactionMs).toBeCloseTo(0.4901, 4);
  });

  test('drops a term that would be negative', () => {
    const measured = loads.map((load) => ({ ...load, cpuMs: load.cpuMs - 0.03 * load.items }));

    const { fit } = fitCpu(measured);

    expect(fit.perItemMs).toBe(0);
    expect(fit.perClickMs).toBeGreaterThan(0);
  });
});

test('the CPU time adds up what an invocation, its clicks, transactions and items take', () => {
  const fit = { perInvocationMs: 1, perClickMs: 0.1, perTransactionMs: 0.5, perItemMs: 0.01 };

  const ms = cpuMs(fit, { clicks: 100, transactions: 2, items: 104 });

  expect(ms).toBeCloseTo(1 + 10 + 1 + 1.04, 9);
});

test.each([
  [128, 0.0724],
  [1_024, 0.5789],
  [1_769, 1],
  [3_008, 1],
])('at %i MB a single thread gets %f of a vCPU', (memoryMb, expected) => {
  const share = cpuShare(memoryMb);

  expect(share).toBeCloseTo(expected, 4);
});
