import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { connectionLost, type Fault, injectFault, times } from '../../helpers/faults.ts';
import { call } from '../../helpers/http-api.ts';
import { isoDay, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const quota = 120;
const url = 'https://example.com/';

const table = useTable({ ...linkVariables, LINKS_PER_DAY: `${quota}` }, ['ImportLinks']);
const output = useOutput();
let handler: typeof import('../../../functions/import-links.ts').handler;
let fault: Fault = {};

beforeAll(async () => {
  ({ handler } = await import('../../../functions/import-links.ts'));
  const { baseClient } = (await import('../../../lib/dynamodb/table.ts')).table;
  injectFault(baseClient, {
    before: (input) => fault.before?.(input),
    after: (input) => fault.after?.(input),
  });
});

// A write's deadline passes only if a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

afterEach(() => {
  fault = {};
  vi.useRealTimers();
});

interface Outcome {
  outcome: string;
  code: string;
  message?: string;
}

const send = (body: string, owner?: string) =>
  call(handler, { routeKey: 'POST /links/import', body }, owner);

async function importLinks(owner: string, links: object[]): Promise<Outcome[]> {
  const answer = await send(JSON.stringify({ links }), owner);
  expect([answer.statusCode, answer.body]).toEqual([200, { outcomes: expect.any(Array) }]);
  return answer.body.outcomes;
}

const makeRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `row-${index}`, url: `${url}${index}` }));

const readLink = (code: string) => table.get(`LINK#${code}`, 'META');
const readUsed = async (owner: string) =>
  (await table.get(`OWNER#${owner}`, `LINKS#${isoDay()}`))?.links;
const setUsed = (owner: string, links: number) =>
  table.put({ PK: `OWNER#${owner}`, SK: `LINKS#${isoDay()}`, links });

const namesOf = (outcomes: Outcome[]) => outcomes.map(({ outcome }) => outcome);
const codesOf = (outcomes: Outcome[]) => outcomes.map(({ code }) => code);

test('100 links are created in one request, and again in another they exist', async () => {
  const expiresAt = '2035-01-01T00:00:00.000Z';
  const coded = { key: 'a', url, code: 'im-code', expiresAt, disabled: true };
  const rows = [...makeRows(99), coded];

  const first = await importLinks('anna', rows);
  const again = await importLinks('anna', rows);
  const other = await importLinks('anna', [{ ...coded, disabled: undefined }]);

  expect(new Set(namesOf(first))).toEqual(new Set(['created']));
  expect(new Set(codesOf(first)).size).toBe(100);
  expect(new Set(namesOf(again))).toEqual(new Set(['existing']));
  expect(codesOf(again)).toEqual(codesOf(first));
  const shortUrl = 'https://go.example.com/im-code';
  expect(first[99]).toEqual({ outcome: 'created', code: 'im-code', shortUrl });
  expect(await readLink('im-code')).toMatchObject({
    ...{ url, owner: 'anna', clicks: 0, expiresAt, disabled: true, disabledBy: 'owner' },
  });
  expect(await readUsed('anna')).toBe(100);
  const message = 'expected "key" to be a new one; a belongs to another link';
  expect(other).toEqual([{ outcome: 'refused', message }]);
  expect(output.audits()).toMatchObject([
    { action: 'imported', sub: 'anna', codes: codesOf(first) },
  ]);
});

test('a bad row has its reason and does not stop the others', async () => {
  await table.put(link('im-taken'));
  const taken = (code: string) =>
    `The back-half ${code} is taken. Choose another one, or leave it out.`;
  const enterUrl = 'Enter a web address, such as https://example.com/page.';
  const notAllowed = "This service doesn't allow links to evil.example. Enter another address.";
  const rows: [object, unknown][] = [
    [{ url: 'example' }, enterUrl],
    [{ url }, 'created'],
    [{ url: 'https://www.evil.example/' }, notAllowed],
    [{ url, code: 'im-taken' }, taken('im-taken')],
    [{ url, expiresAt: '2020-01-01T00:00:00Z' }, 'Enter a time in the future.'],
    [{ url, code: 'im-twice' }, 'created'],
    [{ url, code: 'im-twice' }, taken('im-twice')],
    [{}, enterUrl],
    [{ url, disabled: 'vrai' }, 'expected "disabled" to be true or false; got "vrai"'],
    [{ url, code: 'IM-Twice' }, taken('IM-Twice')],
    [{ url, slug: 'im-slug' }, expect.stringContaining('an object without "slug" (use "code")')],
  ];

  const outcomes = await importLinks(
    'mixed',
    rows.map(([row], index) => ({ key: `row-${index}`, ...row })),
  );

  expect(outcomes.map(({ outcome, message }) => message ?? outcome)).toEqual(
    rows.map(([, outcome]) => outcome),
  );
  // Taken codes count, invalid rows don't.
  expect(await readUsed('mixed')).toBe(5);
});

describe('the daily quota', () => {
  test('stops an import, which continues the next day', async () => {
    await setUsed('eager', quota - 60);
    const rows = makeRows(70);

    const today = await importLinks('eager', rows);
    const again = await importLinks('eager', rows);
    vi.setSystemTime(Date.now() + 86_400_000);
    const tomorrow = await importLinks('eager', rows);

    const fill = (first: string, rest: string) => [
      ...[...Array(60).fill(first), ...Array(10).fill(rest)],
    ];
    expect(namesOf(today)).toEqual(fill('created', 'over-quota'));
    expect(today.at(-1)?.message).toContain("You've reached your daily limit of 120 links");
    expect(namesOf(again)).toEqual(fill('existing', 'over-quota'));
    expect(namesOf(tomorrow)).toEqual(fill('existing', 'created'));
  });

  test('once it is used up, costs no transaction and does not reveal which codes are taken', async () => {
    await table.put(link('im-secret'));
    await setUsed('prober', quota);
    const before = vi.fn();
    fault = { before };

    const outcomes = await importLinks('prober', [
      { key: 'a', url, code: 'im-secret' },
      { key: 'b', url, code: 'im-free' },
    ]);

    expect(namesOf(outcomes)).toEqual(['over-quota', 'over-quota']);
    expect(before).not.toHaveBeenCalled();
    expect(await readLink('im-free')).toBeUndefined();
  });
});

describe('a key', () => {
  test("is its owner's own", async () => {
    const [first] = await importLinks('first', [{ key: 'same', url }]);
    const [second] = await importLinks('second', [{ key: 'same', url }]);

    expect([first?.outcome, second?.outcome]).toEqual(['created', 'created']);
    expect(first?.code).not.toBe(second?.code);
  });

  test('finds its link even after the expiry in the row', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const row = { key: 'soon', url, expiresAt };
    const [created] = await importLinks('late', [row]);

    vi.setSystemTime(Date.now() + 120_000);

    expect(await importLinks('late', [row])).toMatchObject([
      { outcome: 'existing', code: created?.code },
    ]);
  });

  test('creates one link, whoever comes first', async () => {
    const rows = makeRows(20);

    const runs = await Promise.all([1, 2, 3].map(() => importLinks('hasty', rows)));

    const [first, ...others] = runs.map(codesOf);
    for (const codes of others) expect(codes).toEqual(first);
    expect(runs.flatMap(namesOf).filter((name) => name === 'created')).toHaveLength(20);
    expect(await readUsed('hasty')).toBe(20);
  });

  test('creates one link if answers are lost', async () => {
    const isLost = times(4);
    fault = { after: () => (isLost() ? connectionLost() : undefined) };
    const rows = makeRows(60);

    const outcomes = await importLinks('unlucky', rows);

    expect(new Set(namesOf(outcomes))).toEqual(new Set(['created']));
    expect(await readUsed('unlucky')).toBe(60);
  });
});

test.each([
  ['no links', '{"links":[]}'],
  ['101 links', JSON.stringify({ links: makeRows(101) })],
  ['a key twice', JSON.stringify({ links: [makeRows(1)[0], makeRows(1)[0]] })],
  ['no key', JSON.stringify({ links: [{ url }] })],
  ['no JSON', 'links'],
])('a request with %s is refused', async (_, body) => {
  expect(await send(body)).toMatchObject({ statusCode: 400 });
});
