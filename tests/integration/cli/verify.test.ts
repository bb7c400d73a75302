import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dayOf, isoDay, link, marker } from '../../helpers/items.ts';
import { useOperatedStack } from '../../helpers/operator.ts';

const today = isoDay();
// Every marker of that day has expired.
const longAgo = '2024-02-29';
const stack = useOperatedStack();

const markers = (code: string, day: string, count: number, note = '') =>
  Array.from({ length: count }, (_, index) => ({
    ...marker(`${code}-${day}-${index}`, code, day),
    note,
  }));

/** Two links with correct counts. */
const soundItems = [
  link('one', 5),
  dayOf('one', longAgo, 2),
  dayOf('one', today, 3),
  ...markers('one', today, 3),
  link('two', 0),
];

test('finds no drift in correct counts', async () => {
  await stack.table.put(...soundItems);

  const { code, stdout } = await stack.run('verify.ts', []);

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Checked 2 links \(5 clicks\) of the local stack at http:\/\/127.0.0.1:1. Recounted 1 day since [\d-]+ from 3 markers. No drift.\n$/,
  );
});

test('names each link whose total is not the sum of its days', async () => {
  await stack.table.put(
    ...soundItems,
    link('more', 7),
    dayOf('more', longAgo, 4),
    dayOf('ghost', longAgo, 2),
  );

  const { code, stdout } = await stack.run('verify.ts', []);

  expect(code).toBe(1);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'drift +3  more: the total is 7, the sum of its days is 4',
      'drift -2  ghost: there is no link, the sum of its days is 2',
    ]),
  );
  expect(stdout).toContain(' 2 drifts.\n');
});

test('names each day whose count is not the number of its markers', async () => {
  await stack.table.put(
    ...soundItems,
    link('over', 4),
    dayOf('over', today, 4),
    ...markers('over', today, 3),
    link('under', 1),
    dayOf('under', today, 1),
    ...markers('under', today, 2),
    link('missing', 0),
    ...markers('missing', today, 1),
  );

  const { code, stdout } = await stack.run('verify.ts', ['--json']);

  const { drifts, ...rest } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(drifts).toHaveLength(3);
  expect(drifts).toEqual(
    expect.arrayContaining([
      { kind: 'day', code: 'over', day: today, count: 4, markers: 3, drift: 1 },
      { kind: 'day', code: 'under', day: today, count: 1, markers: 2, drift: -1 },
      { kind: 'day', code: 'missing', day: today, count: 0, markers: 1, drift: -1 },
    ]),
  );
  expect(rest).toMatchObject({ links: 5, clicks: 10, days: 4, markers: 9, complete: true });
});

test('recounts only days whose markers must all still exist', async () => {
  const daysAgo = (days: number) => isoDay(Date.now() - days * 86_400_000);
  // Markers live 23 days, 22 without the bus's day of retries. A click may arrive a day early.
  await stack.table.put(
    link('edge', 5),
    dayOf('edge', daysAgo(20), 3),
    dayOf('edge', daysAgo(21), 2),
  );

  const { stdout } = await stack.run('verify.ts', ['--json']);
  const narrowed = await stack.run('verify.ts', ['--since', daysAgo(19)]);

  const { drifts, since } = JSON.parse(stdout);
  expect(since).toBe(daysAgo(20));
  expect(drifts).toEqual([
    { kind: 'day', code: 'edge', day: daysAgo(20), count: 3, markers: 0, drift: 3 },
  ]);
  expect(narrowed.code).toBe(0);
});

test('checks a single link', async () => {
  await stack.table.put(...soundItems, link('more', 7));

  const sound = await stack.run('verify.ts', ['--code', 'one']);
  const drifted = await stack.run('verify.ts', ['--code', 'more']);
  const unknown = await stack.run('verify.ts', ['--code', 'nowhere']);

  expect(sound.stdout).toContain(
    'Checked 1 link (5 clicks) of the local stack at http://127.0.0.1:1.',
  );
  expect([sound.code, drifted.code, unknown.code]).toEqual([0, 1, 2]);
  expect(unknown.stderr).toContain(
    'error: There is no link nowhere in the local stack at http://127.0.0.1:1.\n',
  );
});

test('adds up a table of many pages, in parallel segments', async () => {
  // A page holds at most 1 MB.
  const note = 'x'.repeat(20_000);
  await stack.table.put(
    link('many', 301),
    dayOf('many', today, 301),
    ...markers('many', today, 300, note),
  );

  const { stdout } = await stack.run('verify.ts', ['--json', '--segments', '3']);

  expect(JSON.parse(stdout)).toMatchObject({
    markers: 300,
    drifts: [{ code: 'many', count: 301, markers: 300 }],
  });
});

test('does not report clicks that arrive meanwhile as drift', async () => {
  const note = 'x'.repeat(20_000);
  await stack.table.put(
    link('busy', 200),
    dayOf('busy', today, 200),
    ...markers('busy', today, 200, note),
  );
  let isOver = false;
  const countClicks = async () => {
    while (!isOver) {
      await stack.table.countClick('busy', today);
      await setImmediate();
    }
  };
  const counting = countClicks();

  const { code, stdout } = await stack.run('verify.ts', []);
  isOver = true;
  await counting;

  expect([code, stdout]).toEqual([0, expect.stringContaining('No drift.')]);
});
