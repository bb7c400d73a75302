import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCell } from '../../../lib/links/import-export/csv-cells.ts';
import { formatDays } from '../../../lib/links/import-export/day-export.ts';
import { formatLinks } from '../../../lib/links/import-export/link-export.ts';
import type { Day } from '../../../lib/links/storage/days.ts';

const link = {
  code: 'spring',
  shortUrl: 'https://go.example.com/spring',
  url: 'https://example.com/',
  createdAt: '2026-05-26T09:00:00.000Z',
  disabled: false,
  clicks: 4,
  people: 2,
  bots: 1,
};
// Excel reads the byte order mark.
const header =
  '\ufeffcode,shortUrl,url,createdAt,expiresAt,title,tags,note,forwardQuery,disabled,clicks,clicks by people,clicks by bots\n';

test('exported links are lines below the names of the columns, which only the first page has', () => {
  const expiresAt = '2026-06-01T00:00:00.000Z';
  const line = `https://go.example.com/spring,https://example.com/,2026-05-26T09:00:00.000Z`;

  const texts = {
    expiresAt,
    title: '=1+1',
    tags: ['=2', 'a b'],
    note: 'A note',
    forwardQuery: true as const,
  };
  expect(formatLinks([{ ...link, ...texts, disabled: true }], { isFirst: true })).toBe(
    `${header}spring,${line},2026-06-01T00:00:00.000Z,'=1+1,"'=2,a b",A note,true,true,4,2,1\n`,
  );
  expect(formatLinks([link], { isFirst: false })).toBe(`spring,${line},,,,,,false,4,2,1\n`);
  expect(formatLinks([], { isFirst: true })).toBe(header);
});

test.each([
  ['-1+2', "'-1+2"],
  ['https://e.example/;=1+1;', `"https://e.example/;'=1+1;"`],
  ['https://e.example/;"=1+1;', `"https://e.example/;'""=1+1;"`],
  ["https://e.example/|' @A1", `"https://e.example/|'' @A1"`],
  ['https://e.example/\r\n＝1', `"https://e.example/\r\n'＝1"`],
  ['https://e.example/@1,-2', '"https://e.example/@1,-2"'],
])(
  'a cell cannot become a formula, whatever a spreadsheet takes for separators: %j',
  (url, cell) => {
    const text = formatLinks([{ ...link, url }], { isFirst: false });

    expect(text).toContain(`,${cell},2026-`);
  },
);

test('exported links keep everything inside their cells, and an import reads it back', () => {
  const unit = fc.constantFrom(...'aé😀\0\u2028', ...`=-@'";|,\t\r\n `);
  const hostile = fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1 });
  const readsBack = fc.property(hostile, (ends) => {
    const urls = ends.map((end) => `https://example.com/${end}`);

    const csv = formatLinks(
      urls.map((url) => ({ ...link, url })),
      { isFirst: true },
    );

    const lines: { url: string }[] = parse(csv, {
      columns: true,
      bom: true,
      record_delimiter: '\n',
    });
    expect(lines.map(({ url }) => readCell(url))).toEqual(urls);
  });

  fc.assert(readsBack);
});

test('exported days have the clicks of each value, and always the same columns', () => {
  const days: Day[] = [
    {
      date: '2026-05-25',
      count: 3,
      numbers: { vh: 3, dm: 2, dd: 1, rd: 3, h09: 3, cc: 2, cu: 1, nh: 1, no: 2 },
    },
    { date: '2026-05-26', count: 2, numbers: { vb: 1, do: 1, rd: 1, h17: 1 } },
  ];

  const sketches = new Map([['2026-05-25', new Set([33, 65])]]);
  const csv = formatDays(days, sketches);

  const lines: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  const occurring = lines.map((line) => {
    const columns = Object.entries(line).filter(([, count]) => count !== '0' && count !== '');
    return columns.map(([name, count]) => `${name.replace('clicks by ', '')} ${count}`).join(', ');
  });
  expect(occurring).toEqual([
    'date 2026-05-25, clicks 3, visitor human 3, device desktop 1, device mobile 2, ' +
      'referrer direct 3, hour 09 3, country DE 2, country unknown 1, network hosting 1, network other 2, ' +
      'visitors (estimated) 2',
    'date 2026-05-26, clicks 2, visitor bot 1, visitor unknown 1, device other 1, device unknown 1, ' +
      'referrer direct 1, referrer unknown 1, hour 17 1, hour unknown 1, country unknown 2, network unknown 2',
  ]);
  expect(formatDays([], new Map())).toBe(`${csv.split('\n')[0]}\n`);
  expect(csv).toMatch(/^\ufeffdate,clicks,clicks by visitor human,clicks by visitor bot,/);
});
