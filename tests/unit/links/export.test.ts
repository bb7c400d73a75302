import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCell } from '../../../lib/links/csv-cells.ts';
import type { Day } from '../../../lib/links/days.ts';
import { formatDays, formatLinks } from '../../../lib/links/export.ts';

const link = {
  ...{ code: 'spring', shortUrl: 'https://go.example.com/spring', url: 'https://example.com/' },
  ...{ createdAt: '2026-05-26T09:00:00.000Z', disabled: false },
  ...{ clicks: 4, people: 2, bots: 1 },
};
const header =
  'code,shortUrl,url,createdAt,expiresAt,disabled,clicks,clicks by people,clicks by bots\n';

describe('exported links', () => {
  test('are lines below the names of the columns, which only the first page has', () => {
    const expiresAt = '2026-06-01T00:00:00.000Z';
    const line = `https://go.example.com/spring,https://example.com/,2026-05-26T09:00:00.000Z`;

    expect(formatLinks([{ ...link, expiresAt, disabled: true }], { isFirst: true })).toBe(
      `${header}spring,${line},2026-06-01T00:00:00.000Z,true,4,2,1\n`,
    );
    expect(formatLinks([link], { isFirst: false })).toBe(`spring,${line},,false,4,2,1\n`);
    expect(formatLinks([], { isFirst: true })).toBe(header);
  });

  test.each([
    ['-1+2', "'-1+2"],
    ['https://e.example/;=1+1;', `"https://e.example/;'=1+1;"`],
    ['https://e.example/\t+1', `"https://e.example/\t'+1"`],
    ['https://e.example/;"=1+1;', `"https://e.example/;'""=1+1;"`],
    ["https://e.example/|' @A1", `"https://e.example/|'' @A1"`],
    ['https://e.example/\r\n＝1', `"https://e.example/\r\n'＝1"`],
    ['https://e.example/@1,-2', '"https://e.example/@1,-2"'],
    ['https://e.example/;a', '"https://e.example/;a"'],
  ])('cannot become formulas, whatever a spreadsheet takes for separators: %j', (url, cell) => {
    const text = formatLinks([{ ...link, url }], { isFirst: false });

    expect(text).toContain(`,${cell},2026-`);
  });

  test('keep everything inside their cells, and an import reads it back', () => {
    const unit = fc.constantFrom(...'aé😀\0\u2028', ...`=-@'";|,\t\r\n `);
    const hostile = fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(hostile, (ends) => {
        const urls = ends.map((end) => `https://example.com/${end}`);
        const exported = urls.map((url) => ({ ...link, url }));

        const csv = formatLinks(exported, { isFirst: true });

        const lines: { url: string }[] = parse(csv, { columns: true, record_delimiter: '\n' });
        expect(lines.map(({ url }) => readCell(url))).toEqual(urls);
      }),
    );
  });
});

describe('exported days', () => {
  const days: Day[] = [
    { date: '2026-05-25', count: 3, numbers: { vh: 3, dm: 2, dd: 1, rd: 3, h09: 3, cc: 2, cu: 1 } },
    { date: '2026-05-26', count: 2, numbers: { vb: 1, do: 1, rd: 1, h17: 1 } },
  ];

  test('have the clicks of each value', () => {
    const lines: Record<string, string>[] = parse(formatDays(days), { columns: true });
    const occurring = lines.map((line) =>
      Object.fromEntries(Object.entries(line).filter(([, count]) => count !== '0')),
    );

    expect(occurring).toEqual([
      {
        ...{ date: '2026-05-25', clicks: '3', 'clicks by visitor human': '3' },
        ...{ 'clicks by device mobile': '2', 'clicks by device desktop': '1' },
        ...{ 'clicks by referrer direct': '3', 'clicks by hour 09': '3' },
        ...{ 'clicks by country DE': '2', 'clicks by country unknown': '1' },
      },
      {
        ...{ date: '2026-05-26', clicks: '2', 'clicks by visitor bot': '1' },
        ...{ 'clicks by visitor unknown': '1', 'clicks by device other': '1' },
        ...{ 'clicks by device unknown': '1', 'clicks by referrer direct': '1' },
        ...{ 'clicks by referrer unknown': '1', 'clicks by hour 17': '1' },
        ...{ 'clicks by hour unknown': '1', 'clicks by country unknown': '2' },
      },
    ]);
  });

  test('have the same columns, whatever the clicks', () => {
    const [header] = formatDays(days).split('\n');

    expect(formatDays([])).toBe(`${header}\n`);
    expect(header).toMatch(/^date,clicks,clicks by visitor human,clicks by visitor bot,/);
  });
});
