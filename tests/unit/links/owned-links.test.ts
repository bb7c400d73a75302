import { afterEach, expect, test, vi } from 'vitest';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const keyOf = (code: string) => ({ PK: { S: `LINK#${code}` }, SK: { S: 'META' } });
const dayOf = (code: string) => ({ PK: { S: `LINK#${code}` }, SK: { S: 'STAT#2026-05-26' } });
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
  return { page: await listLinks(table, 'anna', { ...query, date: '2026-05-26' }), requests };
}

test("the index's links are read consistently, without deleted ones and those with another owner now", async () => {
  const codes = ['deleted', 'moved', 'older'];
  const moved = { ...keyOf('moved'), owner: { S: 'ben' } };
  const { page, requests } = await list(
    { limit: 10 },
    { Items: codes.map(keyOf) },
    {
      Responses: {
        clicks: [{ ...dayOf('older'), count: { N: '2' }, vb: { N: '1' } }, moved, linkOf('older')],
      },
      UnprocessedKeys: {},
    },
  );

  const day = { date: '2026-05-26', count: 2, numbers: { vb: 1 } };
  expect(page).toMatchObject({ links: [{ code: 'older', owner: 'anna', day }] });
  const Keys = codes.flatMap((code) => [keyOf(code), dayOf(code)]);
  expect(requests[1]).toEqual({ RequestItems: { clicks: { Keys, ConsistentRead: true } } });
});
