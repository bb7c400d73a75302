import { afterEach, expect, test, vi } from 'vitest';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const keyOf = (code: string) => ({ PK: { S: `LINK#${code}` }, SK: { S: 'META' } });
const linkOf = (code: string) => ({ ...keyOf(code), owner: { S: 'anna' } });

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Lists Anna's links in a table with these answers. Returns the requests, too. */
async function list(query: { limit: number; cursor?: string }, ...answers: object[]) {
  const requests = await startTableOfFunctions(...answers);
  const { listLinks } = await import('../../../lib/links/owned-links.ts');
  const { table } = await import('../../../lib/dynamodb/table.ts');
  return { page: await listLinks(table, 'anna', query), requests };
}

test("the index's links are read consistently, without deleted ones and those with another owner now", async () => {
  const Keys = ['deleted', 'moved', 'older'].map(keyOf);
  const moved = { ...keyOf('moved'), owner: { S: 'ben' } };
  const { page, requests } = await list(
    { limit: 10 },
    { Items: Keys },
    { Responses: { clicks: [moved, linkOf('older')] }, UnprocessedKeys: {} },
  );

  expect(page).toMatchObject({ links: [{ code: 'older', owner: 'anna' }] });
  expect(requests[1]).toEqual({ RequestItems: { clicks: { Keys, ConsistentRead: true } } });
});

test('a sum leaves out links that have another owner now', async () => {
  const dayOf = (code: string) => ({ PK: { S: `LINK#${code}` }, SK: { S: 'STAT#2026-05-26' } });
  const moved = { ...keyOf('moved'), owner: { S: 'ben' }, clicks: { N: '7' } };
  const own = { ...linkOf('own'), clicks: { N: '3' } };
  const days = ['moved', 'own'].map((code) => ({ ...dayOf(code), count: { N: '2' } }));
  await startTableOfFunctions(
    { Items: [keyOf('moved'), keyOf('own')] },
    { Responses: { clicks: [moved, own, ...days] }, UnprocessedKeys: {} },
  );
  const { sumLinks } = await import('../../../lib/links/owned-links.ts');
  const { table } = await import('../../../lib/dynamodb/table.ts');

  const sum = await sumLinks(table, 'anna', { day: '2026-05-26' });

  expect(sum).toEqual({ links: 1, clicks: 3, today: 2 });
});
