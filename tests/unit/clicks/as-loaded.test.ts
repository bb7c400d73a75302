import { beforeEach, expect, test, vi } from 'vitest';

// Tests that load the modules themselves see mutants of what runs as these load.
beforeEach(() => {
  vi.resetModules();
});

const loadClick = () => import('../../../lib/clicks/click.ts');
const loadBreakdowns = () => import('../../../lib/clicks/breakdowns.ts');

test('known sources and hours have an attribute each', async () => {
  const { chooseAttributes } = await loadBreakdowns();
  const choose = (referrer: string, at: string) => chooseAttributes({ referrer }, new Date(at));

  expect(choose('google', '2026-05-26T00:59:59Z')).toEqual(['vu', 'du', 'r01', 'h00']);
  expect(choose('bing', '2026-05-26T23:00:00Z')).toEqual(['vu', 'du', 'r02', 'h23']);
});

test('an hour has the attribute that its clicks raise', async () => {
  const { breakdowns } = await loadBreakdowns();

  const attributes = breakdowns.find(({ name }) => name === 'hour')?.attributes;
  expect(attributes).toMatchObject({ '00': 'h00', '09': 'h09', '23': 'h23' });
});

test('an invalid click is refused by name, with the reason', async () => {
  const { parseClick } = await loadClick();

  expect(() => parseClick('[]')).toThrow(
    expect.objectContaining({
      name: 'InvalidClickError',
      message: 'expected the message to be an object; got []',
    }),
  );
});

test('a marker says which link was clicked, and on which day', async () => {
  const { clickMarkerAttributes } = await loadClick();
  const click = { id: 'event-1', code: 'spring', day: '2026-05-26', breakdowns: [] };

  expect(clickMarkerAttributes.code(click)).toBe('spring');
  expect(clickMarkerAttributes.day(click)).toBe('2026-05-26');
});
