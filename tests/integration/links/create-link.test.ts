import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import {
  cancellation,
  conflictAt,
  connectionLost,
  type Fault,
  injectFault,
  serviceError,
  times,
  withoutItems,
} from '../../helpers/faults.ts';
import { call, forgedHeaders } from '../../helpers/http-api.ts';
import { isoDay, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const quota = 10;
const url = 'https://example.com/';

const table = useTable({ ...linkVariables, LINKS_PER_DAY: `${quota}` }, ['CreateLink']);
useOutput();
let handler: typeof import('../../../functions/create-link.ts').handler;
let createLink: typeof import('../../../lib/links/link-creation.ts').createLink;
let functionTable: typeof import('../../../lib/dynamodb/table.ts').table;
let fault: Fault = {};

beforeAll(async () => {
  ({ handler } = await import('../../../functions/create-link.ts'));
  ({ createLink } = await import('../../../lib/links/link-creation.ts'));
  ({ table: functionTable } = await import('../../../lib/dynamodb/table.ts'));
  injectFault(functionTable.baseClient, {
    before: (input) => fault.before?.(input),
    after: (input) => fault.after?.(input),
    refusal: (error) => fault.refusal?.(error),
  });
});

// A write's deadline passes only if a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

afterEach(() => {
  fault = {};
  vi.useRealTimers();
});

const create = (caller: string, more: object = {}) =>
  call(
    handler,
    { routeKey: 'POST /links', headers: forgedHeaders, body: JSON.stringify({ url, ...more }) },
    caller,
  );

const readLink = (code: string) => table.get(`LINK#${code}`, 'META');

/** The owner's links in today's quota. Assumes that no test runs across midnight. */
const readUsed = async (owner: string) =>
  (await table.get(`OWNER#${owner}`, `LINKS#${isoDay()}`))?.links;
const setUsed = (owner: string, links: number) =>
  table.put({ PK: `OWNER#${owner}`, SK: `LINKS#${isoDay()}`, links });

/** Loses the answers to the first requests. The SDK repeats up to two. */
const loseAnswers = (count: number, onLost = () => {}): Fault => {
  const isLost = times(count);
  return {
    after: () => {
      if (!isLost()) return undefined;
      onLost();
      return connectionLost();
    },
  };
};

/** Fails the first two requests. */
function busyTwice(fail: NonNullable<Fault['before']>): Fault {
  const isBusy = times(2);
  return { before: (input) => (isBusy() ? fail(input) : undefined) };
}

test("a link is stored with its time, and has the stage's address, even with forged host headers", async () => {
  const before = new Date().toISOString();
  const expiresAt = '2035-01-01T00:00:00.000Z';

  const { statusCode, body } = await create('a-user', { expiresAt });

  expect([statusCode, body]).toEqual([
    201,
    { code: body.code, shortUrl: `https://go.example.com/${body.code}`, url, expiresAt },
  ]);
  expect(body.code).toMatch(/^[A-Za-z0-9]{7}$/);
  const { createdAt, ...item } = (await readLink(body.code)) ?? {};
  const key = { PK: `LINK#${body.code}`, SK: 'META' };
  expect(item).toEqual({ ...key, url, expiresAt, clicks: 0, owner: 'a-user' });
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(createdAt >= before).toBe(true);
});

test('a taken code is refused and its link unchanged, and so is one with other capital letters', async () => {
  await table.put(link('looks-alike'), link('CaseD'));

  const answers = [];
  for (const code of ['looks-alike', 'Looks-Alike', 'Looks-Alone', 'looks-alone', 'cased']) {
    answers.push(await create('reader', { code, url: 'https://other.example/' }));
  }

  const message = 'The back-half looks-alike is taken. Choose another one, or leave it out.';
  expect(answers[0]?.body).toEqual({ message, fields: { code: message } });
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 201, 201, 201]);
  expect(await readLink('looks-alike')).toMatchObject({ url });
  expect(await readLink('Looks-Alike')).toBeUndefined();
});

test('a code goes to exactly one of several concurrent callers', async () => {
  const urls = Array.from({ length: 10 }, (_, caller) => `https://example.com/${caller}`);

  const answers = await Promise.all(urls.map((each) => create(each, { url: each, code: 'race' })));

  const [winner, ...others] = answers.filter(({ statusCode }) => statusCode === 201);
  expect(others).toEqual([]);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
  expect(await readLink('race')).toMatchObject({ url: winner?.body.url });
});

describe('the daily quota', () => {
  const request = { url, linksPerDay: quota };

  test('is exact under concurrent requests, for free and for taken codes, and expires', async () => {
    await table.put(link('taken-1'));
    const free = Array.from({ length: 30 }, (_, n) => ({ owner: 'busy', code: `busy-${n}` }));
    const taken = Array(30).fill({ owner: 'curious', code: 'taken-1' });

    const outcomes = await Promise.all(
      [...free, ...taken].map(async (more) => {
        const { outcome } = await createLink(functionTable, { ...request, ...more });
        return `${more.owner} ${outcome}`;
      }),
    );

    const counts = Map.groupBy(outcomes, (outcome) => outcome);
    expect([...counts].map(([outcome, { length }]) => `${length} ${outcome}`).toSorted()).toEqual([
      ...['10 busy created', '10 curious taken', '20 busy over-quota', '20 curious over-quota'],
    ]);
    const day = { links: quota, ttl: Date.parse(isoDay()) / 1_000 + 172_800 };
    expect(await table.get('OWNER#busy', `LINKS#${isoDay()}`)).toMatchObject(day);
    expect(await readUsed('curious')).toBe(quota);
  });

  test('states its limit and when it resets, and does not reveal which codes are taken', async () => {
    await table.put(link('taken-2'));
    await setUsed('full', quota);

    const { statusCode, headers, body } = await create('full', { code: 'taken-2' });

    const message =
      "You've reached your daily limit of 10 links. Attempts to use a taken back-half count too. " +
      'Try again tomorrow (UTC).';
    expect([statusCode, body]).toEqual([429, { message }]);
    const comesMs = Date.now() + Number(headers['retry-after']) * 1_000;
    expect(isoDay(comesMs + 5_000)).toBe(isoDay(Date.now() + 86_400_000));
    expect(await create('full', { code: 'free-2' })).toMatchObject({ statusCode, body });
    expect(await create('thrifty')).toMatchObject({ statusCode: 201 });
    expect([await readLink('free-2'), await readUsed('full')]).toEqual([undefined, quota]);
  });

  test('does not write to a taken link, because that would conflict with its clicks', async () => {
    await table.put(link('busy-1'));
    const written: string[] = [];
    fault = { after: (input) => void written.push(JSON.stringify(input)) };

    expect(await create('stranger', { code: 'busy-1' })).toMatchObject({ statusCode: 409 });

    expect(written).toHaveLength(1);
    expect(written.join()).not.toContain('busy-1');
  });

  test.each([
    ['the SDK', 1],
    ['the function', 4],
  ])('counts a taken code once if its answer is lost and %s retries', async (_, losses) => {
    const [owner, code] = [`asker-${losses}`, `taken-${losses}0`];
    await table.put(link(code));
    await setUsed(owner, quota - 1);
    fault = loseAnswers(losses);

    // The lost request took the last unit. Its retry must not exceed the quota.
    expect(await create(owner, { code })).toMatchObject({ statusCode: 409 });
    expect(await readUsed(owner)).toBe(quota);
  });
});

describe('a link is created once, and counts once', () => {
  const throttled = { Code: 'ThrottlingError' };

  test.each<[string, () => Fault]>([
    ['an answer that is lost once', () => loseAnswers(1)],
    ['cancellations without existing items', () => ({ ...loseAnswers(4), ...withoutItems })],
    ['a conflict on the quota', () => busyTwice((input) => conflictAt('OWNER#', input))],
    ['throttled items', () => busyTwice((input) => cancellation(input, throttled))],
    ['a failing server', () => busyTwice(() => serviceError('InternalServerError', 500))],
  ])('despite %s', async (title, makeFault) => {
    fault = makeFault();

    const { statusCode, body } = await create(title);

    expect(statusCode).toBe(201);
    expect(await readLink(body.code)).toMatchObject({ owner: title });
    expect(await readUsed(title)).toBe(1);
  });

  test('if the SDK gives up, with the last unit of the quota and the clicks since then', async () => {
    await setUsed('last', quota - 1);
    let counted: Promise<void> | undefined;
    fault = loseAnswers(4, () => {
      counted ??= table.countClick('clicked', isoDay());
    });

    expect(await create('last', { code: 'clicked' })).toMatchObject({ statusCode: 201 });

    await counted;
    expect(await readLink('clicked')).toMatchObject({ owner: 'last', clicks: 1 });
    expect(await readUsed('last')).toBe(quota);
  });
});

test('a table that keeps failing is an error', async () => {
  fault = {
    before: (input) => {
      vi.setSystemTime(Date.now() + 1_000);
      return conflictAt('OWNER#', input);
    },
  };

  const { statusCode, body } = await create('unlucky');

  expect([statusCode, body]).toEqual([500, { message: 'Internal Server Error' }]);
  expect(await readUsed('unlucky')).toBeUndefined();
});

test('another code is minted if one is reserved or taken, up to 5 times, which the quota ignores', async () => {
  await table.put(link('mine1'));
  const request = { url, owner: 'collector', linksPerDay: quota };
  const codes = ['Logout', 'mine1', 'mine2'];

  expect(await createLink(functionTable, request, () => `${codes.shift()}`)).toEqual({
    outcome: 'created',
    code: 'mine2',
  });
  await expect(createLink(functionTable, request, () => 'mine1')).rejects.toThrow(
    'expected a free code within 5 attempts; all were taken',
  );
  expect(await readUsed('collector')).toBe(1);
  expect(await readLink('Logout')).toBeUndefined();
});
