import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { parse as createParser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRows, surveyFile } from '../../../cli/links/csv-rows.ts';
import { chunk } from '../../../lib/chunk.ts';
import { parseNewLink } from '../../../lib/links/api/link-request.ts';
import { createReader } from '../../../lib/links/import-export/import-file.ts';
import type { Row } from '../../../lib/links/import-export/import-rows.ts';
import { useTestDir } from '../../helpers/test-dir.ts';

const dir = useTestDir();
const url = 'https://example.com/';
const policy = { serviceHosts: [], blockedDomains: [] };

async function read(csv: string | Buffer, options?: { newCodes: boolean }) {
  const file = path.join(dir.path, 'links.csv');
  await writeFile(file, csv);
  const survey = await surveyFile(file, options);
  const found: Row[] = await Array.fromAsync(readRows(file, survey));
  const { notes, suspect } = survey;
  return { notes, suspect, rows: found.map(({ key, ...row }) => row) };
}

test.each([
  ['any of them', 'url\r_1\r\n_2\n\r_3\n\n\r\n_4', [2, 3, 5, 8]],
  ['CR, LF and CRLF in a cell', 'url,note\n_1,"a b\nc\rd\r\n"\n_2,\n', [5, 6]],
  ['nothing, blanks or separators', 'url,code\n\n,\n , \n"",""\n_1,\n,\n', [6]],
])('a row is on the line where it ends, after %s', async (_, csv, lines) => {
  const { rows } = await read(csv.replaceAll('_', url));

  const expected = lines.map((line, index) => `${line}: ${url}${index + 1}`);
  expect(rows.map((row) => `${row.line}: ${row.url}`)).toEqual(expected);
});

test.each([
  ['two byte order marks', `\ufeff\ufeffurl,code\n${url},abcd`],
  ['quotes and blanks', `"url", code\n ${url} ,"abcd"\n`],
  ['an apostrophe from an export', `url,code\n${url},'-abc\n`, { code: '-abc' }],
  ['separators at the end', `url,code,,\n${url},abcd,,,,\n`],
  ['an expiry', `URL,Expires At\n${url},2035-01-01\n`, { expiresAt: '2035-01-01' }],
  ['a title', `url,Title\n${url},"'=1+1, 2"\n`, { title: '=1+1, 2' }],
  ['tags', `url,tags\n${url},"Sale, Spring b|'=1;; "\n`, { tags: ['Sale', 'Spring b', '=1'] }],
  ['the switch for queries', `url,Forward query\n${url},TRUE`, { forwardQuery: true }],
  ['not disabled', `url,disabled\n${url},False\n`, {}],
  ['something else as disabled', `url,disabled\n${url},vrai\n`, { disabled: 'vrai' }],
])('a row may have %s', async (_, csv, cells: object = { code: 'abcd' }) => {
  expect(await read(csv)).toEqual({ notes: '', rows: [{ line: 2, url, ...cells }] });
});

const clicksAt = (service: string) => ({
  note: `61 clicks at ${service}${service === 'Rebrandly' ? '' : ', created 2024-08-15'}`,
});
const exports: [string, string, string, object?][] = [
  [
    'Shlink',
    '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"',
    `"2024-08-15T15:03:56-04:00","s.example","spring","https://s.example/spring","${url}","Sale","a|b c",61`,
    clicksAt('Shlink'),
  ],
  ['Shlink', 'Long URL;Short code;Domain;Title;Tags', `${url};spring;;Sale;a|b c`],
  [
    'YOURLS',
    'keyword,url,title,timestamp,ip,clicks',
    `spring,${url},Sale,2024-08-15 15:03:56,::1,61`,
    { tags: undefined, ...clicksAt('YOURLS') },
  ],
  [
    'YOURLS',
    'source,target,hits',
    `spring,${url},2314`,
    { tags: undefined, title: undefined, note: '2,314 clicks at YOURLS' },
  ],
  [
    'Kutt',
    'id,address,banned,created_at,target,visit_count,description',
    `9,spring,false,2024-08-15,${url},61,Sale`,
    { tags: undefined, ...clicksAt('Kutt') },
  ],
  [
    'dub',
    'id,domain,key,url,archived,expiresAt,title,description,clicks,tags,shortLink',
    `9,s.example,spring,${url},false,null,Sale,,61,"a, b c",https://s.example/spring`,
    { note: '61 clicks at dub' },
  ],
  [
    'dub',
    'Short link,Destination URL,Title,Tags,Comments,Clicks,Created at',
    `https://s.example/spring,${url},Sale,"a,b c",Ours,61,"Mar 4, 2021"`,
    { note: 'Ours; 61 clicks at dub, created Mar 4, 2021' },
  ],
  [
    'Rebrandly',
    'title\tslashtag\tdestination\tshortUrl\tclicks\ttags',
    `Sale\tspring\t${url}\ts.example/spring\t61\ta,b c`,
    clicksAt('Rebrandly'),
  ],
  [
    'Short.io',
    'Path,Original URL,Title,Tags,Created at',
    `spring,${url},Sale,"a,b c",2024-08-15`,
    { note: 'At Short.io, created 2024-08-15' },
  ],
  [
    'Bitly',
    'link,long_url,title,created_at,tags,total_clicks,custom_bitlinks',
    `https://bit.ly/4fRx0,${url},Sale,2024-08-15,"a;b c",61,https://s.example/spring`,
    clicksAt('Bitly'),
  ],
  ['Bitly', 'Bitlink,Long URL,Title,Tags', `bit.ly/spring,${url},Sale,a|b c`],
];
test.each(exports)(
  'an export of %s with the columns %s is imported',
  async (name, header, row, more) => {
    const { rows, notes } = await read(`${header}\n${row}\n`);

    const link = { url, code: 'spring', title: 'Sale', tags: ['a', 'b c'], ...more };
    expect(rows).toEqual([{ line: 2, ...link }]);
    expect(notes).toMatch(new RegExp(`^An export of ${name}: .* is the code, .* is the url`));
  },
);

test.each([
  ['a title that grows', '\u0958'.repeat(150), 'a', { title: `${'\u0915\u093c'.repeat(99)}…` }],
  ['tags', 'Sale', '0|1|2|3|4|5|6|7|8|9|10', { tags: [...'0123456789'] }],
  ['a tag', 'Sale', 'x'.repeat(60), { tags: [`${'x'.repeat(49)}…`] }],
])(
  "another service's row is cut if it has too long %s, and accepted",
  async (_, title, tags, fit) => {
    const csv = `shortCode,longUrl,title,tags\nspring,${url},${title},${tags}\n`;

    const { rows, notes } = await read(csv);

    expect(rows).toMatchObject([fit]);
    expect(notes).toContain('Rows whose texts were too long, and were cut: 1.');
    const create = (found: object[]) =>
      parseNewLink(Object.fromEntries(Object.entries(found[0] ?? {}).slice(1)), policy);
    expect(create(rows)).toMatchObject(fit);
    // Our own files stay as they are.
    const own = await read(csv.replace('shortCode,longUrl', 'code,url'));
    expect(() => create(own.rows)).toThrow('are the maximum');
  },
);

test.each([
  ['semicolons', 'url;code\n_;abcd\n', 2],
  ['a line that names a bar', 'sep=|\nurl|code\n_|abcd\n', 3],
  ['a line for Excel with tabs', 'sep=\t\r\nurl\tcode\r\n_\tabcd\r\n', 3],
  ['signs in quotes', '"url",code,"a;b;c;d"\n_,abcd,\n', 2],
] as const)('a file may have %s, in each encoding of Unicode', async (_, csv, line) => {
  const text = `\ufeff${csv.replaceAll('_', `${url}é`)}`;
  const bigEndian = Buffer.from(text, 'utf16le').swap16();

  for (const file of [text, Buffer.from(text, 'utf16le'), bigEndian]) {
    expect((await read(file)).rows).toEqual([{ line, url: `${url}é`, code: 'abcd' }]);
  }
});

test('a row keeps its cells with any line breaks, in chunks of any size', async () => {
  const text = fc.array(fc.constantFrom('a', 'é', ' ', ',', '"', '\r\n', '\n', '\r'));
  const cell = text.map((parts) => `x${parts.join('')}`);
  const cells = fc.array(cell, { minLength: 1, maxLength: 3 });
  const records = fc.array(fc.tuple(cells, fc.constantFrom('\r\n', '\n', '\r')));
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

  const keeps = fc.asyncProperty(records, fc.integer({ min: 1 }), async (all, size) => {
    const csv = all.map(([row, end]) => `${row.map(quote).join(',')}${end}`).join('');
    const chunks = chunk([...Buffer.from(csv)], size).map((bytes) => Buffer.from(bytes));
    const parser = createParser(createReader('a.csv', '').options);

    const found = await Array.fromAsync(Readable.from(chunks).compose(parser));

    let line = 0;
    const expected = all.map(([row]) => {
      line += row.join().split(/\r\n|\n|\r/).length;
      return { line, cells: row };
    });
    expect(found).toEqual(expected);
    expect(parse(csv, createReader('a.csv', '').options)).toEqual(expected);
  });

  await fc.assert(keeps);
});

test.each([
  ...['code', 'keyword', 'key', 'slug', 'shortCode', 'Short code', 'slashtag', 'Code'],
  ...['custom_slug', 'alias', 'Custom short link'],
])('the column %s has the codes', async (name) => {
  expect(await read(`${name},url\nspring,${url}\n`)).toEqual({
    notes: '',
    rows: [{ line: 2, url, code: 'spring' }],
  });
});

test('a column of another name is reported, unless it is empty', async () => {
  const { notes } = await read(`clicks,url,note,code,\nA,${url},,abcd,b\n`);

  expect(notes).toBe("These columns aren't imported: clicks, column 5.");
});

test.each([
  ['an address', 'https://s.example/spring'],
  ['an address without https://', 'S.example/spring'],
  ['an address with a port', 'localhost:8080/spring'],
  ['a path', '/spring'],
  ['a query, a fragment and a slash at its end', 'HTTP://s.example/spring/?qr=1#top'],
])('a code may be written as %s', async (_, cell) => {
  const { rows } = await read(`url,code\n${url},${cell}\n`);

  expect(rows).toEqual([{ line: 2, url, code: 'spring' }]);
});

test.each(['https://s.example/a/b', 'https://s.example/', 'ab cd', 'café'])(
  'a cell of the codes that has none stays as it is, so that its row is rejected: %s',
  async (cell) => {
    const { rows } = await read(`url,code\n${url},${cell}\n`);

    expect(rows).toEqual([{ line: 2, url, code: cell }]);
    expect(() => parseNewLink({ url, code: rows[0]?.code }, policy)).toThrow();
  },
);

test.each([
  ['one of two letters', 'Short URL', ['s.example/a', 's.example/ab'], ['a', 'ab']],
  ['a query', 'Short URL', ['s.example/a7?qr=1', 's.example/a8'], ['a7', 'a8']],
  ['one that no code can be', 'tiny', ['s.example/a', 's.example/b', 'ö ä'], ['a', 'b', 'ö ä']],
  ['empty cells', 'Kurzlink', ['https://s.example/a', '', ''], ['a', undefined, undefined]],
  ['numbers beside them', 'short_url,id', ['s.example/a,1', 's.example/b,2'], ['a', 'b']],
  [
    'codes of its own for some',
    'Short URL,alias',
    ['s.example/a,', 's.example/b,c d'],
    ['a', 'c d'],
  ],
  [
    'codes instead, under a name for them',
    'Short URL',
    ['spring', 'a', 'x y'],
    ['spring', 'a', 'x y'],
  ],
])('a column of short links has the codes, with %s', async (_, names, cells, codes) => {
  const lines = cells.map((some) => `${url},${some}\n`);

  const { rows, notes, suspect } = await read(`url,${names}\n${lines.join('')}`);

  expect(rows.map(({ code }) => code)).toEqual(codes);
  expect(notes).toContain(`${names.split(',', 1)} has the codes.`);
  expect(suspect).toBeUndefined();
});

test.each([
  ['words', 'Kürzel', ['spring', 'autumn', 'two words']],
  ['words in capital letters and other scripts', 'a', ['Весна', 'Été', '']],
  ['dates', 'campaign', ['2026-05-26', '2026-05-27', '']],
  ['short links of several services', 'a', ['s.example/a', 't.example/b', 't.example/c']],
  ['images of another site', 'a', ['s.example/a.png', 's.example/b.png', 's.example/c.png']],
  ['the name of codes, whatever its cells are', 'Short URL', ['s.example/to/a', 'x y', '']],
  ['a single word', '', ['spring', '', '']],
  ['words beside an empty column called code', 'a', ['spring,', 'autumn,', 'winter,'], 'a,code'],
])('a column may have codes if it has %s', async (_, name, cells, names = name) => {
  const csv = `url,${names}\n${cells.map((cell) => `${url},${cell}`).join('\n')}`;

  const { rows, suspect } = await read(csv);
  const agreed = await read(csv, { newCodes: true });

  expect(suspect).toBe(name || 'column 2');
  expect(rows.map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
  expect(agreed).toEqual({ rows, notes: `These columns aren't imported: ${suspect}.` });
});

test.each([
  ['values that repeat', 'colour', ['red', 'blue', 'red', 'red']],
  ['the clicks of another service', 'Clicks', ['1', '2', '3', '4']],
  ['sentences', 'about', ['a b', 'c d', 'e f', 'g']],
  ['pages of the destination', 'home', ['a', 'b', 'c', 'd'].map((page) => `${url}page/${page}`)],
])('a column has no codes if it has %s', async (_, name, cells) => {
  const csv = `url,${name}\n${cells.map((cell) => `${url},${cell}`).join('\n')}`;

  const { notes, suspect } = await read(csv);

  expect(suspect).toBeUndefined();
  expect(notes).toBe(`These columns aren't imported: ${name}.`);
});

test('with new codes, a column of codes is not imported', async () => {
  const { rows, notes } = await read(`url,code\n${url},spring\n`, { newCodes: true });

  expect(rows).toEqual([{ line: 2, url }]);
  expect(notes).toBe("These columns aren't imported: code.");
});

const endless = `"${'x\n'.repeat(40_000)}`;
const notCsv = "isn't CSV: in the row after line";
const notUtf8 = 'in UTF-8 or UTF-16; got another encoding.';
const toEnd = "Expected line 3 of .* to end after the first line's columns \\(1\\); got 2 cells.";
const unclosed = `${notCsv} 2, a cell's closing quote is missing.`;

test.each([
  ['nothing', '', 'is empty.'],
  ['no header', `${url},abcd\n`, `or tabs between them; got ${url},abcd.`],
  ['the same column twice', 'url,code,URL\n', 'one column for url; got url, URL. Delete'],
  ['two columns with codes', 'url,code,slug\n', 'one column for code; got code, slug. Delete'],
  ['a comma without quotes', `url\n${url}\n${url}a,b\n`, `${toEnd} Put quotes`],
  ['Latin-1', Buffer.from(`url\n${url}é\n`, 'latin1'), notUtf8],
  ['an open quote', `url\r\n${url}\r\n"${url}`, unclosed],
  ['an endless cell', `url\n${endless}`, `${notCsv} 1, there are too many characters`],
  ['too many columns', ','.repeat(1_000), 'at most 1000 columns; got more.'],
])('a file with %s is rejected', async (_, csv, message) => {
  await expect(read(csv)).rejects.toThrow(new RegExp(message));
});
