import { expect, test, vi } from 'vitest';
import { batchGetItems, getItem, queryRange } from '../../../lib/dynamodb/requests.ts';
import type { TableAccess } from '../../../lib/dynamodb/table.ts';
import { queryCampaigns, queryDays } from '../../../lib/links/storage/days.ts';
import {
  type ListedLink,
  listLinks,
  maxPageBytes,
} from '../../../lib/links/storage/owned-links.ts';
import { querySketches } from '../../../lib/links/storage/visitors.ts';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { useOutput } from '../../helpers/output.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

// Scripted answers show what local engines hide: their reads are always consistent.
useOutput();
const keyOf = (code: string, SK = 'META') => ({ PK: { S: `LINK#${code}` }, SK: { S: SK } });
const linkOf = (code: string, owner = 'anna') => ({ ...keyOf(code), owner: { S: owner } });
const read = { TableName: 'clicks', Key: keyOf('abcd'), ConsistentRead: true };

const key = { PK: 'LINK#abcd', SK: 'META' };

test.each<[string, (table: TableAccess) => Promise<unknown>]>([
  ['an item', (table) => getItem(table, key)],
  ['items', (table) => batchGetItems(table, [key])],
  ['a range', (table) => queryRange(table, key, key).next()],
])('%s is read consistently, and not at all once the signal is aborted', async (_, readFrom) => {
  const requests = await startTableOfFunctions();
  const { table } = await import('../../../lib/dynamodb/table.ts');

  await readFrom(table);
  const sent = JSON.stringify(requests.splice(0));
  const aborted = readFrom({ ...table, abortSignal: AbortSignal.abort() });

  expect(sent).toContain('"ConsistentRead":true');
  await expect(aborted).rejects.toThrow('aborted');
  expect(requests).toEqual([]);
});

test.each([
  ['days', queryDays, 'STAT#0000-01-01', 'STAT#9999-12-31'],
  ['campaigns', queryCampaigns, 'UTM#0000-01-01', 'UTM#9999-12-31$'],
  ['visitors', querySketches, 'VISITORS#0000-01-01', 'VISITORS#9999-12-31'],
])('a range of %s with undefined ends is all of them', async (_, query, first, last) => {
  const requests = await startTableOfFunctions();
  const { table } = await import('../../../lib/dynamodb/table.ts');

  await query(table, 'abcd', { from: undefined, to: undefined });

  expect(JSON.stringify(requests)).toContain(`"${first}"`);
  expect(JSON.stringify(requests)).toContain(`"${last}"`);
});

test.each([{}, { Item: linkOf('abcd') }])(
  "a request for statistics reads no days if the link is unknown or another user's: %j",
  async (answer) => {
    const requests = await startTableOfFunctions({}, answer);
    vi.stubEnv('PUBLIC_ORIGIN', linkVariables.PUBLIC_ORIGIN);
    const { handler } = await import('../../../functions/get-link-stats.ts');
    const request = { routeKey: 'GET /links/{code}/stats', pathParameters: { code: 'abcd' } };

    expect(await call(handler, request)).toMatchObject({ statusCode: 404 });

    // The first request counts the caller's requests.
    expect(requests.slice(1)).toEqual([read]);
  },
);

test('a list reads its links and their day consistently, without those deleted or of another owner', async () => {
  const codes = ['deleted', 'moved', 'older'];
  const day = { ...keyOf('older', 'STAT#2026-05-26'), count: { N: '2' }, vb: { N: '1' } };
  const found = [day, linkOf('moved', 'ben'), linkOf('older')];
  const requests = await startTableOfFunctions(
    { Items: codes.map((code) => keyOf(code)) },
    { Responses: { clicks: found }, UnprocessedKeys: {} },
  );

  const { table } = await import('../../../lib/dynamodb/table.ts');

  const describe = (link: ListedLink) => link;
  const page = await listLinks(table, 'anna', { limit: 10, date: '2026-05-26', describe });

  const today = { date: '2026-05-26', count: 2, numbers: { vb: 1 } };
  expect(page).toMatchObject({ links: [{ code: 'older', owner: 'anna', day: today }] });
  const Keys = codes.flatMap((code) => [keyOf(code), keyOf(code, 'STAT#2026-05-26')]);
  expect(requests[1]).toEqual({ RequestItems: { clicks: { Keys, ConsistentRead: true } } });
});

test('a page whose links were all deleted a moment ago does not end the list', async () => {
  const entries = ['first', 'second', 'third'].map((code) => ({
    ...keyOf(code),
    owner: { S: 'anna' },
    createdAt: { S: '2026-05-26T00:00:00.000Z' },
  }));
  const found = [linkOf('first', 'DELETED#anna')];
  const requests = await startTableOfFunctions(
    { Items: entries },
    { Responses: { clicks: found }, UnprocessedKeys: {} },
    { Items: entries.slice(2) },
    { Responses: { clicks: [linkOf('third')] }, UnprocessedKeys: {} },
  );
  const { table } = await import('../../../lib/dynamodb/table.ts');

  const describe = ({ code }: ListedLink) => code;
  const page = await listLinks(table, 'anna', { limit: 2, date: '2026-05-26', describe });

  expect(page).toEqual({ links: ['third'] });
  expect(requests[2]).toMatchObject({ ExclusiveStartKey: entries[1] });
});

test('a link that no page has room for is an error, not the end of the list', async () => {
  await startTableOfFunctions(
    { Items: [keyOf('huge')] },
    { Responses: { clicks: [linkOf('huge')] }, UnprocessedKeys: {} },
  );
  const { table } = await import('../../../lib/dynamodb/table.ts');

  const describe = () => 'x'.repeat(maxPageBytes);
  const listing = listLinks(table, 'anna', { limit: 10, date: '2026-05-26', describe });

  await expect(listing).rejects.toThrow('expected a link of at most 1000000 bytes');
});

test('more than 100 keys are an error before any request', async () => {
  const requests = await startTableOfFunctions();
  const { table } = await import('../../../lib/dynamodb/table.ts');

  const reading = batchGetItems(table, Array(101).fill(key));

  await expect(reading).rejects.toThrow('expected at most 100 keys; got 101');
  expect(requests).toEqual([]);
});
