import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ImportLinksAnswer } from '../../../lib/links/api/answer-schemas.ts';
import { createLink } from '../../../lib/links/storage/create-links.ts';
import { useApi } from '../../helpers/api.ts';
import { conflictAt, connectionLost, type Fault, times } from '../../helpers/faults.ts';
import { forgedHeaders } from '../../helpers/http-api.ts';
import { isoDay, link } from '../../helpers/items.ts';

type Outcome = ImportLinksAnswer['outcomes'][number];

const quota = 120;
const url = 'https://example.com/';
const expiresAt = '2035-01-01T00:00:00.000Z';

const roles = ['CreateLink', 'ImportLinks'];
const { table, access, faults, output, send } = useApi(roles, { LINKS_PER_DAY: `${quota}` });

// A write's deadline passes only if a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

afterEach(() => void vi.useRealTimers());

const create = (caller: string, more: object = {}) =>
  send(caller, 'POST /links', { headers: forgedHeaders, body: { url, ...more } });
const fail = (fault: Fault) => faults.set('TransactWriteItems', fault);

const readLink = (code: string) => table.get(`LINK#${code}`, 'META');

/** The owner's links in today's quota. Assumes that no test runs across midnight. */
const readUsed = async (owner: string) =>
  (await table.get(`OWNER#${owner}`, `LINKS#${isoDay()}`))?.links;
const setUsed = (owner: string, links: number) =>
  table.put({ PK: `OWNER#${owner}`, SK: `LINKS#${isoDay()}`, links });

/** Loses the answers to the first requests. The SDK repeats up to two. */
const loseAnswers = (count: number, onLost = () => {}) => {
  const isLost = times(count);
  fail({
    after: () => {
      if (!isLost()) return undefined;
      onLost();
      return connectionLost();
    },
  });
};

test("a link is stored with its time, and has the stage's address, even with forged host headers", async () => {
  const before = new Date().toISOString();

  const { statusCode, body } = await create('a-user', { expiresAt });

  expect(statusCode).toBe(201);
  expect(body).toEqual({
    code: body.code,
    shortUrl: `https://go.example.com/${body.code}`,
    url,
    expiresAt,
  });
  expect(body.code).toMatch(/^[A-Za-z0-9]{7}$/);
  const { createdAt, version, ...item } = (await readLink(body.code)) ?? {};
  const key = { PK: `LINK#${body.code}`, SK: 'META' };
  expect(item).toEqual({ ...key, url, expiresAt, clicks: 0, owner: 'a-user' });
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(createdAt >= before).toBe(true);
  expect(version).toBe(Date.parse(createdAt));
});

test('a taken code is rejected and its link unchanged, and so is one with other capital letters', async () => {
  await table.put(link('looks-alike'), link('CaseD'));

  const answers = [];
  for (const code of ['looks-alike', 'Looks-Alike', 'Looks-Alone', 'cased']) {
    answers.push(await create('reader', { code, url: 'https://other.example/' }));
  }

  const message = 'The code looks-alike is taken. Choose another one, or leave it out.';
  expect(answers[0]?.body).toEqual({ message, fields: { code: message } });
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 201, 201]);
  expect(await readLink('looks-alike')).toMatchObject({ url });
  expect(await readLink('Looks-Alike')).toBeUndefined();
});

describe('the daily quota', () => {
  test('is exact under concurrent requests, for free and for taken codes, and expires', async () => {
    await table.put(link('taken-1'));
    for (const owner of ['busy', 'curious']) await setUsed(owner, quota - 5);
    const codes = Array.from({ length: 15 }, (_, index) => `busy-${index}`);

    const answers = await Promise.all([
      ...codes.map((code) => create('busy', { code })),
      ...codes.map(() => create('curious', { code: 'taken-1' })),
    ]);

    const statuses = answers.map(({ statusCode }) => statusCode);
    const outcomes = (first: number) => [...Array(5).fill(first), ...Array(10).fill(429)];
    expect(statuses.slice(0, 15).toSorted()).toEqual(outcomes(201));
    expect(statuses.slice(15).toSorted()).toEqual(outcomes(409));
    const day = { links: quota, ttl: Date.parse(isoDay()) / 1_000 + 172_800 };
    expect(await table.get('OWNER#busy', `LINKS#${isoDay()}`)).toMatchObject(day);
    expect(await readUsed('curious')).toBe(quota);
  });

  test('states its limit and when it resets, and does not reveal which codes are taken', async () => {
    await table.put(link('taken-2'));
    await setUsed('full', quota);

    const { statusCode, headers, body } = await create('full', { code: 'taken-2' });

    const message =
      "You've reached your daily limit of 120 links. Attempts to use a taken code count too. " +
      'Try again tomorrow (UTC).';
    expect(statusCode).toBe(429);
    expect(body).toEqual({ message });
    const comesMs = Date.now() + Number(headers['retry-after']) * 1_000;
    expect(isoDay(comesMs + 5_000)).toBe(isoDay(Date.now() + 86_400_000));
    expect(await create('full', { code: 'free-2' })).toMatchObject({ statusCode, body });
    expect(await readLink('free-2')).toBeUndefined();
    expect(await readUsed('full')).toEqual(quota);
  });

  test('counts a taken code once if its answer is lost', async () => {
    await table.put(link('taken-3'));
    await setUsed('asker', quota - 1);
    loseAnswers(4);

    // The lost request took the last unit. Its retry must not exceed the quota.
    expect(await create('asker', { code: 'taken-3' })).toMatchObject({ statusCode: 409 });
    expect(await readUsed('asker')).toBe(quota);
  });
});

test('a link counts once despite conflicts on the quota', async () => {
  const isBusy = times(2);
  fail({ before: (input) => (isBusy() ? conflictAt('OWNER#', input) : undefined) });

  expect(await create('contended')).toMatchObject({ statusCode: 201 });
  expect(await readUsed('contended')).toBe(1);
});

test('a link whose answers are lost is created once, with the last unit of the quota and the clicks since then', async () => {
  await setUsed('last', quota - 1);
  let counted: Promise<void> | undefined;
  loseAnswers(4, () => {
    counted ??= table.countClick('clicked', isoDay());
  });

  expect(await create('last', { code: 'clicked' })).toMatchObject({ statusCode: 201 });

  await counted;
  expect(await readLink('clicked')).toMatchObject({ owner: 'last', clicks: 1 });
  expect(await readUsed('last')).toBe(quota);
});

test('another code is minted if one is reserved or taken, up to 5 times, which the quota ignores', async () => {
  await table.put(link('mine1'));
  const codes = ['Logout', 'mine1', 'mine2'];
  const createWith = (mint: () => string) =>
    createLink(
      access.table,
      { fields: { url } },
      {
        owner: 'collector',
        linksPerDay: quota,
        policy: { serviceHosts: [], blockedDomains: [] },
        keyed: 'request',
        mint,
      },
    );

  expect(await createWith(() => `${codes.shift()}`)).toMatchObject({ code: 'mine2' });
  await expect(createWith(() => 'mine1')).rejects.toThrow(
    'expected a free code within 5 attempts; all were taken',
  );
  expect(await readUsed('collector')).toBe(1);
  expect(await readLink('Logout')).toBeUndefined();
});

describe('an Idempotency-Key', () => {
  const createWith = (caller: string, key: string, more: object = {}) =>
    send(caller, 'POST /links', { headers: { 'idempotency-key': key }, body: { url, ...more } });

  test('gives a repeated request the first answer, also if that was lost or the body has another order', async () => {
    loseAnswers(4);
    const first = await createWith('repeater', 'order-1', { title: 'Spring', note: 'a' });

    const again = await send('repeater', 'POST /links', {
      headers: { 'idempotency-key': '"order-1"' },
      body: { note: 'a', title: 'Spring', url },
    });

    expect(first.statusCode).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.statusCode).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await readUsed('repeater')).toBe(1);
    expect(output.audits()).toHaveLength(1);
  });

  test('creates one link for requests at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createWith('double', 'press-1')),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => body.code)).size).toBe(1);
    expect(await readUsed('double')).toBe(1);
  });

  test.each([
    ['url', { url: 'https://example.com/other' }],
    ['note', { note: 'b' }],
    ['code', { code: 'key-reused' }],
    ['unknown field', { colour: 'red' }],
  ])('with another %s is rejected, and creates nothing', async (name, more) => {
    await createWith('careless', 'order-2', { note: 'a' });

    const answer = await createWith('careless', 'order-2', { note: 'a', ...more });

    const message =
      'Expected a new Idempotency-Key; order-2 belongs to a request with another body. Send that body again, or use a new key.';
    expect(answer).toMatchObject({ statusCode: 422, body: { message } });
    expect(await readUsed('careless')).toBe(1);
    expect(await readLink('key-reused'), name).toBeUndefined();
  });

  test('belongs to its owner', async () => {
    const first = await createWith('one', 'same-key');
    const other = await createWith('two', 'same-key', { url: 'https://example.com/two' });

    expect(other.statusCode).toBe(201);
    expect(other.body.code).not.toBe(first.body.code);
    expect(await readLink(other.body.code)).toMatchObject({ owner: 'two' });
  });

  test('of a rejected request can be used for a better one', async () => {
    await table.put(link('key-taken'));
    const rejected = await createWith('patient', 'order-3', { code: 'key-taken' });

    expect(rejected.statusCode).toBe(409);
    expect(await createWith('patient', 'order-3')).toMatchObject({ statusCode: 201 });
  });

  test('finds its link after an edit and after its expiry, but not once the link is deleted', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { body } = await createWith('later', 'order-4', { expiresAt: soon });
    const stored = { ...link(body.code), ...(await readLink(body.code)) };
    await table.put({ ...stored, title: 'Edited' });
    vi.setSystemTime(Date.now() + 120_000);

    const again = await createWith('later', 'order-4', { expiresAt: soon });
    await table.put({ ...stored, owner: 'DELETED#later' });
    const deleted = await createWith('later', 'order-4', { expiresAt: soon });

    expect(again).toMatchObject({ statusCode: 201, body: { ...body, title: 'Edited' } });
    const message = `This request created the link ${body.code}, which was deleted. Restore it, or create a new link.`;
    expect(deleted).toMatchObject({ statusCode: 409, body: { message } });
  });

  test.each([
    ['empty', ''],
    ['only quotes', '""'],
    ['with a #', 'a#b'],
    ['with a space', 'a b'],
    ['sent twice', 'a,b'],
    ['not ASCII', 'é'],
    ['too long', 'x'.repeat(256)],
    ['far too long', 'x'.repeat(10_000)],
  ])('that is %s is rejected', async (_, key) => {
    const answer = await createWith('sloppy', key);

    expect(answer.statusCode).toBe(400);
    expect(answer.body.message).toContain(
      'expected the header Idempotency-Key to be a key of 1 to 255 letters',
    );
    expect(await readUsed('sloppy')).toBeUndefined();
  });

  test("is the key of an import's row: whichever comes second finds the link", async () => {
    const rows = [
      { key: 'row:1', url, title: 'One' },
      { key: 'row:2', url, title: 'Two' },
    ];
    const created = await createWith('both', 'row:1', { title: 'One' });

    const imported = await send('both', 'POST /links/import', { body: { links: rows } });
    const second = await createWith('both', 'row:2', { title: 'Two' });

    expect(imported.body.outcomes).toMatchObject([
      { outcome: 'existing', code: created.body.code },
      { outcome: 'created' },
    ]);
    expect(second.body.code).toBe(imported.body.outcomes[1].code);
    expect(await readUsed('both')).toBe(2);
  });
});

describe('an import', () => {
  async function importLinks(owner: string, links: object[]): Promise<Outcome[]> {
    const answer = await send(owner, 'POST /links/import', { body: { links } });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toEqual({ outcomes: expect.any(Array) });
    return answer.body.outcomes;
  }

  const makeRows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `row-${index}`, url: `${url}${index}` }));
  const namesOf = (outcomes: Outcome[]) => outcomes.map(({ outcome }) => outcome);
  const codesOf = (outcomes: Outcome[]) => outcomes.map(({ code }) => code);

  test('creates 100 links in one request, and again in another they exist', async () => {
    const coded = { key: 'a', url, code: 'im-code', expiresAt, disabled: true };
    const rows = [...makeRows(99), coded];

    const first = await importLinks('anna', rows);
    const again = await importLinks('anna', rows);
    const other = await importLinks('anna', [{ ...coded, disabled: undefined }]);

    expect(namesOf(first)).toEqual(Array(100).fill('created'));
    expect(new Set(codesOf(first)).size).toBe(100);
    expect(namesOf(again)).toEqual(Array(100).fill('existing'));
    expect(codesOf(again)).toEqual(codesOf(first));
    const shortUrl = 'https://go.example.com/im-code';
    expect(first[99]).toEqual({ outcome: 'created', code: 'im-code', shortUrl });
    expect(await readLink('im-code')).toMatchObject({
      url,
      owner: 'anna',
      clicks: 0,
      expiresAt,
      disabled: true,
      disabledBy: 'owner',
    });
    expect(await readUsed('anna')).toBe(100);
    const message = 'expected "key" to be a new one; a belongs to another link';
    expect(other).toEqual([{ outcome: 'refused', message }]);
    expect(output.audits()).toMatchObject([
      { action: 'imported', sub: 'anna', codes: codesOf(first) },
    ]);
  });

  test('has a reason for each bad row, which does not stop the others', async () => {
    await table.put(link('im-taken'));
    const taken = (code: string) =>
      `The code ${code} is taken. Choose another one, or leave it out.`;
    const enterUrl = 'Enter a web address, such as https://example.com/page.';
    const notAllowed = "This service doesn't allow links to evil.example. Enter another address.";
    const rows: [object, unknown][] = [
      [{ url }, 'created'],
      [{ url: 'https://www.evil.example/' }, notAllowed],
      [{ url, code: 'im-taken' }, taken('im-taken')],
      [{ url, code: 'im-twice' }, 'created'],
      [{ url, code: 'IM-Twice' }, taken('IM-Twice')],
      [{}, enterUrl],
    ];

    const outcomes = await importLinks(
      'mixed',
      rows.map(([row], index) => ({ key: `row-${index}`, ...row })),
    );

    expect(outcomes.map(({ outcome, message }) => message ?? outcome)).toEqual(
      rows.map(([, outcome]) => outcome),
    );
    // Taken codes count, invalid rows don't.
    expect(await readUsed('mixed')).toBe(4);
  });

  test('that is a dry run says what would happen, creates nothing, and counts taken codes', async () => {
    await table.put(link('dry-taken'));
    const [known] = await importLinks('dry', [{ key: 'known', url }]);
    const links = [
      { key: 'known', url },
      { key: 'new', url, code: 'dry-new' },
      { key: 'twice', url, code: 'dry-new' },
      { key: 'taken', url, code: 'dry-taken' },
      { key: 'bad', url: 'example' },
    ];

    const dry = await send('dry', 'POST /links/import', { body: { links, dryRun: true } });

    const taken = (code: string) =>
      `The code ${code} is taken. Choose another one, or leave it out.`;
    expect(dry.body.outcomes).toMatchObject([
      { outcome: 'existing', code: known?.code },
      { outcome: 'ready' },
      { outcome: 'refused', message: taken('dry-new') },
      { outcome: 'refused', message: taken('dry-taken') },
      { outcome: 'refused', message: 'Enter a web address, such as https://example.com/page.' },
    ]);
    expect(await readUsed('dry')).toBe(3);
    expect(dry.body.remaining).toBe(quota - 3);
    expect(await readLink('dry-new')).toBeUndefined();
    const outcomes = await importLinks('dry', links);
    expect(namesOf(outcomes)).toEqual(['existing', 'created', 'refused', 'refused', 'refused']);
  });

  test.each([
    ['one link', ['dry-free']],
    ['two links', ['dry-secret', 'dry-free']],
  ])(
    'that is a dry run of %s beyond the daily quota does not reveal which codes are taken',
    async (_, codes) => {
      await table.put(link('dry-secret'));
      await setUsed('dry-full', quota);
      const links = codes.map((code) => ({ key: code, url, code }));

      const dry = await send('dry-full', 'POST /links/import', { body: { links, dryRun: true } });

      expect(namesOf(dry.body.outcomes)).toEqual(codes.map(() => 'over-quota'));
      expect(dry.body.remaining).toBe(0);
      expect(await readUsed('dry-full')).toBe(quota);
    },
  );

  test('stops at the daily quota and continues the next day', async () => {
    await setUsed('eager', quota - 60);
    const rows = makeRows(70);

    const today = await importLinks('eager', rows);
    vi.setSystemTime(Date.now() + 86_400_000);
    const tomorrow = await importLinks('eager', rows);

    const fill = (first: string, rest: string) => [
      ...Array(60).fill(first),
      ...Array(10).fill(rest),
    ];
    expect(namesOf(today)).toEqual(fill('created', 'over-quota'));
    expect(today.at(-1)?.message).toContain("You've reached your daily limit of 120 links");
    expect(namesOf(tomorrow)).toEqual(fill('existing', 'created'));
  });

  test("finds a row's link by its owner's key, even after the expiry in the row", async () => {
    const row = { key: 'soon', url, expiresAt: new Date(Date.now() + 60_000).toISOString() };
    const [created] = await importLinks('late', [row]);
    const [ofOther] = await importLinks('other', [row]);

    vi.setSystemTime(Date.now() + 120_000);

    const code = created?.code;
    expect(await importLinks('late', [row])).toMatchObject([{ outcome: 'existing', code }]);
    expect(ofOther).toMatchObject({
      outcome: 'created',
      code: expect.not.stringMatching(`${code}`),
    });
  });

  test('creates one link for each key, whoever comes first, even if answers are lost', async () => {
    loseAnswers(4);
    const rows = makeRows(20);

    const runs = await Promise.all([1, 2, 3].map(() => importLinks('hasty', rows)));

    const [first, ...others] = runs.map(codesOf);
    for (const codes of others) expect(codes).toEqual(first);
    expect(await readUsed('hasty')).toBe(20);
  });

  test.each([
    ['no links', []],
    ['101 links', makeRows(101)],
    ['a key twice', [makeRows(1)[0], makeRows(1)[0]]],
    ['no key', [{ url }]],
  ])('with %s is rejected', async (_, links) => {
    const answer = await send('anna', 'POST /links/import', { body: { links } });
    expect(answer).toMatchObject({ statusCode: 400 });
  });
});
