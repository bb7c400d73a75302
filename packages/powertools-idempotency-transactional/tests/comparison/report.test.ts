import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { behaviours, groups } from '../../comparison/behaviours.ts';
import { updatePage } from '../../comparison/report/page.ts';
import { renderBehaviours, renderJudgement } from '../../comparison/report/terminal.ts';
import { findSurprises, type Row, type Run } from '../../comparison/run.ts';

/** What a run sees if both sides do what is recorded. */
const asRecorded: Row[] = behaviours.map((behaviour) => {
  const { stock, ours } = behaviour;
  return { behaviour, stock, ours };
});

/** A run in which stock costs another unit at the first behaviour. */
const costlier = (engine: Run['engine']): Run => {
  const rows = asRecorded.map((row, index) =>
    index === 0 ? { ...row, stock: { ...row.stock, units: 99 } } : row,
  );
  return { engine, rows };
};

test('each behaviour has a name of its own', () => {
  const names = behaviours.map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length);
});

test('ours books what is due, but for what the page warns of', () => {
  const wrong = behaviours.filter(({ due, ours }) => ours.deliveries.at(-1)?.[1] !== due);

  // The first four are refused, and the last one is worse than stock.
  expect(wrong.map(({ name }) => name)).toEqual([
    'optional-key',
    'changed-payload-unchecked',
    'disabled',
    'no-context',
    'service-crash-before',
  ]);
});

test('the page has the recorded behaviours; npm --prefix packages/powertools-idempotency-transactional run compare -- --write renews it', async () => {
  const page = await readFile('docs/compare-idempotency.md', 'utf8');

  expect(updatePage(page, groups, asRecorded)).toBe(page);
});

test('a page without the marks is left alone', () => {
  expect(() => updatePage('# A page', groups, asRecorded)).toThrow('expected the page to have');
});

test('the terminal shows every behaviour', () => {
  const text = renderBehaviours(groups, asRecorded);

  expect(behaviours.filter(({ name }) => !text.includes(`${name}`))).toEqual([]);
});

test('another figure than the recorded one is a surprise', () => {
  const run = costlier('dynoxide');

  const surprises = findSurprises(run);

  expect(surprises).toMatchObject([{ name: 'successful-request', side: 'stock' }]);
  expect(renderJudgement(run, surprises)).toContain(
    'successful-request, stock: expected {"booked":1} (1), {"booked":1} (1); 1 call, 3 + 1 units; ' +
      'got {"booked":1} (1), {"booked":1} (1); 1 call, 99 + 1 units',
  );
});

test('write units are compared on dynoxide only', () => {
  expect(findSurprises(costlier('dynamodb-local'))).toEqual([]);
});
