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

test('exported days have the clicks of each value that occurs', () => {
  const days: Day[] = [
    { date: '2026-05-25', count: 3, numbers: { vh: 3, dm: 2, dd: 1, rd: 3, h09: 3, cc: 2, cu: 1 } },
    { date: '2026-05-26', count: 2, numbers: { vb: 1, do: 1, rd: 1, h17: 1 } },
  ];
  const columns = {
    visitor: ['human', 'bot', 'unknown'],
    device: ['mobile', 'desktop', 'other', 'unknown'],
    referrer: ['direct', 'unknown'],
    hour: ['09', '17', 'unknown'],
    country: ['unknown', 'DE'],
  };
  const heads = Object.entries(columns).flatMap(([name, values]) =>
    values.map((value) => `clicks by ${name} ${value}`),
  );

  // Later breakdowns add columns at the end.
  expect(formatDays(days).split('\n')).toEqual([
    expect.stringMatching(`^date,clicks,${heads.join()}`),
    expect.stringMatching('^2026-05-25,3,3,0,0,2,1,0,0,3,0,3,0,0,1,2'),
    expect.stringMatching('^2026-05-26,2,0,1,1,0,0,1,1,1,1,0,1,1,2,0'),
    '',
  ]);
});
