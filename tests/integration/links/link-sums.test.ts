import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TableAccess } from '../../../lib/dynamodb/table.ts';
import { getLinks } from '../../../lib/links/storage/links.ts';
import { type SummedLink, sumLinks } from '../../../lib/overview/link-sums.ts';
import { sumOwnerLinks } from '../../../lib/overview/owner-sums.ts';
import { readStoredSums, totalOf } from '../../../lib/overview/stored-sums.ts';
import { isoDay, link, manyDays } from '../../helpers/items.ts';
import { useTable } from '../../helpers/test-table.ts';

const table = useTable();
const farMs = () => Date.now() + 60_000;

/**
 * The table, whose requests wait for these times in turn, so that they overtake each other. Records the
 * names of their commands.
 */
function slowAccess(delaysMs: readonly number[], commands: string[] = []): TableAccess {
  let request = 0;
  const send = async (command: never, options: never) => {
    request += 1;
    commands.push((command as object).constructor.name);
    await setTimeout(delaysMs[request % delaysMs.length] ?? 0);
    return table.database.send(command, options);
  };
  const client = Object.create(table.database, { send: { value: send } });
  return { client, tableName: table.tableName };
}

async function sum(access: TableAccess, code: string) {
  const found = await getLinks(access, [code]);
  const links = [...found].map(([code, one]) => ({ ...one, code }));
  const [summed] = await sumLinks(access, links, farMs());
  return summed?.sums.days.map(({ date, count }) => [date, count]);
}

let made = 0;

test('whatever readers, clicks and late clicks overtake each other, stored sums are those of one moment', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('click' as const), daysAgo: fc.nat({ max: 30 }) }),
    fc.record({
      kind: fc.constant('read' as const),
      delaysMs: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 5 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      made += 1;
      const code = `made-${made}`;
      await table.put(link(code));
      const counts = new Map<string, number>();
      /** The days as they were after each click. */
      const history: Record<string, number>[] = [{}];
      const readers: Promise<unknown>[] = [];
      for (const one of steps) {
        if (one.kind === 'read') readers.push(sum(slowAccess(one.delaysMs), code));
        else {
          const day = isoDay(Date.now() - one.daysAgo * 86_400_000);
          await table.countClick(code, day);
          counts.set(day, (counts.get(day) ?? 0) + 1);
          history.push(Object.fromEntries(counts));
        }
      }
      await Promise.all(readers);

      const stored = (await readStoredSums(slowAccess([0]), [code])).get(code);
      if (stored) {
        const days = stored.days.map(({ date, count }) => [date, count]);
        expect(Object.fromEntries(days)).toEqual(history[stored.clicks]);
      }
      const now = (await sum(slowAccess([0]), code)) ?? [];
      expect(Object.fromEntries(now)).toEqual(history.at(-1));
    }),
    { numRuns: 30 },
  );
});

test('a second reader reads stored sums, and not a day, until a click arrives, even a late one', async () => {
  await table.put(link('twice', 20), ...manyDays('twice', 4, 5));
  const commands: string[] = [];
  const counted = slowAccess([0], commands);

  await sum(counted, 'twice');
  const first = commands.splice(0);
  await sum(counted, 'twice');
  expect(first).toContain('QueryCommand');
  expect(commands).toEqual(['BatchGetCommand', 'BatchGetCommand']);
  await table.countClick('twice', '1970-01-01');

  expect(await sum(counted, 'twice')).toEqual([
    ['1970-01-01', 6],
    ['1970-01-02', 5],
    ['1970-01-03', 5],
    ['1970-01-04', 5],
  ]);
});

test("a purged link's sums aren't those of a new link with its code and as many clicks", async () => {
  await table.put(link('reused', 5), ...manyDays('reused', 1, 5));
  await sum(slowAccess([0]), 'reused');

  const createdAt = '2026-11-01T00:00:00.000Z';
  const day = { PK: 'LINK#reused', SK: 'STAT#2026-11-02', count: 5 };
  await table.put(
    { ...link('reused', 5), createdAt },
    { ...manyDays('reused', 1, 0)[0], count: 0 },
  );
  await table.put(day);

  const sums = await sum(slowAccess([0]), 'reused');
  expect(sums?.filter(([, count]) => count !== 0)).toEqual([['2026-11-02', 5]]);
});

test('of a link with 1,000 days, the newest 400 are stored, and the others as a sum', async () => {
  await table.put(link('long', 2_000), ...manyDays('long', 1_000, 2));

  await sum(slowAccess([0]), 'long');
  const stored = (await readStoredSums(slowAccess([0]), ['long'])).get('long');

  expect(stored?.days).toHaveLength(400);
  expect(stored?.earlier.clicks).toBe(1_200);
});

test('a request without time reads 50 links, and the next one continues without reading the links again', async () => {
  for (let number = 0; number < 120; number += 1) {
    const code = `many-${number}`;
    const tags = number === 119 ? ['last'] : [];
    await table.put({ ...link(code, 6), owner: 'olga', tags }, ...manyDays(code, 3, 2));
  }
  const commands: string[] = [];
  const access = slowAccess([0], commands);
  const read = async (deadlineMs: number, tag?: string) => {
    const choose = (all: readonly SummedLink[]) =>
      all.filter(({ link: { tags = [] } }) => tag === undefined || tags.includes(tag));
    const times = { nowMs: Date.now(), deadlineMs };
    const { links } = await sumOwnerLinks(access, 'olga', choose, times);
    const old = links.filter(({ isOld }) => isOld);
    return { links: links.length, old: old.length, clicks: sumClicks(links) };
  };

  expect(await read(0)).toEqual({ links: 120, old: 70, clicks: 50 * 6 });
  expect(await read(0, 'last')).toEqual({ links: 1, old: 0, clicks: 6 });
  const before = commands.splice(0);
  expect(await read(farMs())).toEqual({ links: 120, old: 0, clicks: 120 * 6 });

  expect(before.filter((name) => name === 'QueryCommand')).toHaveLength(1 + 50 + 1);
  // The index isn't read again, and of 69 links, only the days, and the totals that prove them, in two batches.
  expect(commands.filter((name) => name === 'QueryCommand')).toHaveLength(69);
  expect(commands.filter((name) => name === 'BatchGetCommand')).toHaveLength(2);
});

test('a new link is in the sums after ten seconds, even if old sums are read meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const readCodes = async (codes: string[]) => {
    const choose = (all: readonly SummedLink[]) =>
      all.filter((one) => codes.includes(one.link.code));
    const times = { nowMs: Date.now(), deadlineMs: farMs() };
    const { links } = await sumOwnerLinks(slowAccess([0]), 'paul', choose, times);
    return links.map((one) => one.link.code);
  };
  for (const code of ['paul-1', 'paul-2']) {
    await table.put({ ...link(code, 2), owner: 'paul' }, ...manyDays(code, 1, 2));
  }

  await readCodes(['paul-1']);
  await table.put({ ...link('paul-3'), owner: 'paul' });
  vi.setSystemTime(Date.now() + 8_000);
  expect(await readCodes(['paul-2', 'paul-3'])).toEqual(['paul-2']);
  vi.setSystemTime(Date.now() + 8_000);

  expect(await readCodes(['paul-3'])).toEqual(['paul-3']);
});

function sumClicks(links: readonly SummedLink[]): number {
  return links.reduce((sum, { sums }) => sum + totalOf(sums), 0);
}
