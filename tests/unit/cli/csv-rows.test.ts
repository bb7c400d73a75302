import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../../cli/links/csv-rows.ts';
import { useTestDir } from '../../helpers/test-dir.ts';

const dir = useTestDir();

async function listLines(csv: string): Promise<number[]> {
  const file = path.join(dir.path, 'links.csv');
  await writeFile(file, csv);
  return (await Array.fromAsync(readRows(file))).map(({ line }) => line);
}

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('a row is on the line where it ends, with %s', (_, end) => {
  test.each([
    ['in a cell', 'url,note\nhttps://example.com/1,"two\nlines"\nhttps://example.com/2,\n', [3, 4]],
    ['in the header', 'url,"a\nnote"\nhttps://example.com/1,\n', [3]],
    [
      'beyond the columns',
      'url\nhttps://example.com/1,"two\nlines"\nhttps://example.com/2\n',
      [3, 4],
    ],
    ['between rows', 'url\n\nhttps://example.com/1\n \nhttps://example.com/2\n', [3, 5]],
  ])('and a line break %s', async (_, csv, lines) => {
    expect(await listLines(csv.replaceAll('\n', end))).toEqual(lines);
  });
});

test('a row is on the line where it ends in a file with both kinds of line breaks', async () => {
  expect(await listLines('url\nhttps://example.com/1\r\nhttps://example.com/2\n')).toEqual([2, 3]);
});
