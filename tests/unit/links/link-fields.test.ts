import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { surveyRecords, toRows } from '../../../lib/links/import-export/import-rows.ts';
import { describeContent } from '../../../lib/links/rules/link-fields.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const url = 'https://example.com/';
const expiresAt = '2035-01-01T00:00:00Z';

// Stored for 400 days. Other values would make a repeated import create its links again, or reject
// them.
test('what identifies imported links stays the same for the same fields', async () => {
  const rows = [
    ['url', 'code', 'expiresAt', 'disabled'],
    [url, '', '', ''],
    [url, 'spring', expiresAt, 'true'],
    [url, '', '', ''],
  ].map((cells, index) => ({ line: index + 1, cells }));
  const { columns } = await surveyRecords('links.csv', rows);
  const keys = (await Array.fromAsync(toRows(rows, columns, hash))).map(({ key }) => key);

  expect(describeContent({ url, note: '61 clicks at Bitly' })).toBe(
    '["https://example.com/",null,null]',
  );
  expect(describeContent({ url, title: '', tags: [], forwardQuery: false })).toBe(
    '["https://example.com/",null,null]',
  );
  expect(describeContent({ url, title: 'Sale', tags: ['a', 'b'] })).toBe(
    '["https://example.com/",null,null,["title","Sale"],["tags",["a","b"]]]',
  );
  expect(describeContent({ url, code: 'spring', expiresAt, disabled: true })).toBe(
    '["https://example.com/","spring","2035-01-01T00:00:00Z",true]',
  );
  expect(keys).toEqual([
    'q2A9LYDqwFhCJYiRS8ko3S3u1FWInxV9l5zNuWbgOSM',
    'nJ2uCQhnUyLZYPGNXYx1BE51NBNs5Zh5971IUo_pCwY',
    'hHpsuXYf3x9HsbV02gLdZacnV6Op3VIc_1x9Sgee5XM',
  ]);
});
