import { describe, expect, test } from 'vitest';
import { compareBatches } from '../../../capacity/check/compare-batches.ts';
import { compareStack, type StackComparison } from '../../../capacity/check/compare-stack.ts';
import type { Observed, Timed } from '../../../capacity/check/observed.ts';
import { comparePublished } from '../../../capacity/check/published.ts';
import { formatCheck, readCheck } from '../../../capacity/check/report.ts';
import type { CheckRow } from '../../../capacity/check/row.ts';

const observed: Observed = {
  ...{ clicks: 1_000, batches: 100, transactions: 100, writeUnits: 3_000, conflicts: 0 },
};
const stack: Timed = { ...observed, invocationMs: 50, lagMs: { p50: 40, p99: 200 } };
const comparison: StackComparison = {
  ...{ traffic: 'small', stack, model: stack, slowModel: stack, modelOfStackBatches: stack },
};

const verdictsOf = (rows: readonly CheckRow[]) =>
  Object.fromEntries(rows.map(({ figure, verdict }) => [figure, verdict]));
const compareOne = (changes: Partial<StackComparison>) =>
  verdictsOf(compareStack([{ ...comparison, ...changes }]));

describe('the local stack and a model that does the same', () => {
  test('agree in everything', () => {
    const rows = compareStack([comparison]);

    expect(rows.filter(({ verdict }) => verdict !== 'agrees')).toEqual([]);
  });

  test('may differ in their lags, whose reason is stated', () => {
    const model = { ...stack, lagMs: { p50: 80, p99: 200 } };

    const row = compareStack([{ ...comparison, model }]).find(
      ({ figure }) => figure === 'lag, p50',
    );

    expect(row).toMatchObject({ real: 40, model: 80, verdict: 'deviates' });
    expect(row?.words).toMatch(/^\+100 %: this machine/);
  });

  test('may differ in conflicts, which no local engine raises', () => {
    const model = { ...stack, conflicts: 25 };

    const row = compareStack([{ ...comparison, model }]).find(
      ({ figure }) => figure === 'share of conflicts',
    );

    expect(row).toMatchObject({
      ...{ real: 0, model: 20, unit: '%', verdict: 'deviates' },
      words: 'the local engine raises no conflicts',
    });
  });
});

describe('a wrong model is noticed', () => {
  const twiceTheUnits = { ...stack, writeUnits: 6_000 };
  const largerBatches = { ...stack, batches: 50 };

  test.each<[string, Partial<StackComparison>, string]>([
    [
      'it takes twice the units for the batches of the stack',
      { modelOfStackBatches: twiceTheUnits },
      "write units a click, of the stack's own batches",
    ],
    [
      'it takes twice the units for batches as large as those of the stack',
      { model: twiceTheUnits },
      'write units a click',
    ],
    [
      'its batches are larger, although its invocations are as long',
      { model: largerBatches },
      'clicks a batch',
    ],
    [
      'its batches are larger when its invocations are made as long',
      { slowModel: largerBatches },
      "clicks a batch, with invocations as long as the stack's",
    ],
  ])('if %s', (_, changes, figure) => {
    expect(compareOne(changes)).toMatchObject({ [figure]: 'unexplained' });
  });

  test('if it puts two traffics in another order, although their invocations are in the same', () => {
    const dear = { ...stack, writeUnits: 4_000 };
    const cheap = { ...stack, writeUnits: 2_000 };
    const same = { ...comparison, slowModel: undefined };

    const rows = compareStack([
      { ...same, traffic: 'one', stack: dear, model: cheap },
      { ...same, traffic: 'other', stack: cheap, model: dear },
    ]);

    expect(rows).toContainEqual(
      expect.objectContaining({
        figure: 'their order by write units a click',
        verdict: 'unexplained',
        words: 'reversed, and no reason is known: one and other',
      }),
    );
  });
});

describe('what the machine explains', () => {
  test('are smaller batches after shorter invocations, and what these cost', () => {
    const model = { ...stack, invocationMs: 25, batches: 200, writeUnits: 4_000 };

    const rows = compareStack([{ ...comparison, model }]);

    expect(verdictsOf(rows)).toMatchObject({
      'clicks a batch': 'deviates',
      'write units a click': 'deviates',
    });
    expect(rows[0]?.words).toMatch(/^−50 %: an invocation takes 50 ms on this machine and 25 ms/);
  });

  test('are not fewer units for smaller batches', () => {
    const model = { ...stack, invocationMs: 25, batches: 200, writeUnits: 2_000 };

    expect(compareOne({ model })).toMatchObject({ 'write units a click': 'unexplained' });
  });
});

describe('batches on a real engine', () => {
  const name = 'prod, busy';

  test('take in the model what they take there', () => {
    const rows = compareBatches([
      { name, engine: observed, modelInTurn: observed, model: observed },
    ]);

    expect(rows.map(({ verdict }) => verdict)).toEqual(Array(4).fill('agrees'));
  });

  test('must take it one after another, and may take more where transactions meet', () => {
    const model = { ...observed, transactions: 120, writeUnits: 3_300, conflicts: 30 };

    const rows = compareBatches([{ name, engine: observed, modelInTurn: model, model }]);

    expect(rows.map(({ figure, verdict }) => [figure, verdict])).toEqual([
      ['write units a click, one after another', 'unexplained'],
      ['transactions a batch, one after another', 'unexplained'],
      ['write units a click, side by side', 'deviates'],
      ['transactions a batch, side by side', 'deviates'],
    ]);
  });

  test('may not take twice the units because a fifth of the transactions met', () => {
    const model = { ...observed, writeUnits: 6_000, conflicts: 25 };

    const rows = compareBatches([{ name, engine: observed, modelInTurn: observed, model }]);

    expect(verdictsOf(rows)).toMatchObject({
      'write units a click, side by side': 'unexplained',
    });
  });
});

describe('a published figure', () => {
  const published = { figure: 'a limit', unit: 'bytes', published: 1_000, source: 'AWS' };

  test.each([
    ['agrees if the model is a little below it', 960, {}, 'agrees'],
    [
      'is unexplained if it is a limit and the model exceeds it',
      1_010,
      { toleranceAbove: 0 },
      'unexplained',
    ],
    ['deviates for a known reason', 800, { reason: { words: 'a choice', upTo: 0.25 } }, 'deviates'],
    [
      'is unexplained beyond what its reason explains',
      700,
      { reason: { words: 'a choice', upTo: 0.25 } },
      'unexplained',
    ],
  ])('%s', async (_, model, rule, verdict) => {
    const rows = await comparePublished([{ ...published, ...rule, run: () => model }]);

    expect(rows).toMatchObject([{ real: 1_000, model, subject: 'AWS', verdict }]);
  });
});

describe('a check', () => {
  const rows = compareStack([{ ...comparison, model: { ...stack, writeUnits: 6_000 } }]);

  test('shouts what nobody can explain', () => {
    expect(formatCheck(rows)).toContain(
      '  small: write units a click: 3, model 6; UNEXPLAINED: +100 %, and no reason is known',
    );
  });

  test('is read from its file', () => {
    const record = { checkedAt: '2026-11-22T19:00:00.000Z', cpu: 'EPYC', node: 'v24', rows };
    const text = JSON.stringify(record, (_, value) => value ?? null);

    expect(readCheck(text)).toEqual(record);
  });

  test('is not read from something else', () => {
    expect(() => readCheck('[]')).toThrow(/Expected a check of the capacity model; got .*--check/s);
  });
});
