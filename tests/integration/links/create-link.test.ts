import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
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
import { call } from '../../helpers/http-api.ts';
import { isoDay, link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const quota = 10;
const url = 'https://example.com/';

const table = useTable({ ...linkVariables, LINKS_PER_DAY: `${quota}` }, [
  'CreateLink',
  'ListLinks',
]);
const output = useOutput();
let handler: typeof import('../../../functions/create-link.ts').handler;
let createLink: typeof import('../../../lib/links/link-creation.ts').createLink;
let listLinks: typeof import('../../../lib/links/owned-links.ts').listLinks;
let functionTable: typeof import('../../../lib/dynamodb/table.ts').table;
let fault: Fault = {};

beforeAll(async () => {
  ({ handler } = await import('../../../functions/create-link.ts'));
  ({ createLink } = await import('../../../lib/links/link-creation.ts'));
  ({ listLinks } = await import('../../../lib/links/owned-links.ts'));
  ({ table: functionTable } = await import('../../../lib/dynamodb/table.ts'));
  injectFault(functionTable.baseClient, {
    before: (input) => fault.before?.(input),
    after: (input) => fault.after?.(input),
    refusal: (error) => fault.refusal?.(error),
  });
});

afterEach(() => {
  fault = {};
  vi.restoreAllMocks();
});

const create = (caller: string, code?: string) =>
  call(handler, { routeKey: 'POST /links', body: JSON.stringify({ url, code }) }, caller);

/** Retries as a user does, because an engine on a busy machine may exceed the function's timeout. */
const createAtLast = async (caller: string) => {
  for (;;) {
    const answer = await create(caller);
    if (answer.statusCode !== 500) return answer;
  }
};

const listCodes = async (owner: string) =>
  (await listLinks(functionTable, owner, { limit: 100 }))?.links.map(({ code }) => code);

const readLink = (code: string) => table.get(`LINK#${code}`, 'META');

/** The owner's links in today's quota. Assumes that no test runs across midnight. */
const readUsed = async (owner: string) =>
  (await table.get(`OWNER#${owner}`, `LINKS#${isoDay()}`))?.links;

/** Loses the answers to the first four requests, more than the SDK's own retries. */
const loseAnswers = (onLost = () => {}) => {
  const isLost = times(4);
  fault = {
    after: () => {
      if (!isLost()) return undefined;
      onLost();
      return connectionLost();
    },
  };
};

describe('the daily quota', () => {
  test('is exact under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => createAtLast('busy')));

    const statuses = answers.map(({ statusCode }) => statusCode);
    // A link whose answer came too late is stored too, so fewer than ten callers may get 201.
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status !== 201 && status !== 429)).toEqual([]);
    expect(await listCodes('busy')).toHaveLength(10);
    expect(await readUsed('busy')).toBe(10);
  });

  test('states its limit and when it resets', async () => {
    await table.put({ PK: 'OWNER#full', SK: `LINKS#${isoDay()}`, links: quota });

    const { statusCode, headers, body } = await create('full');

    expect([statusCode, body]).toEqual([
      429,
      {
        message:
          "You've reached your daily limit of 10 links. Attempts to use a taken back-half count too. " +
          'Try again tomorrow (UTC).',
      },
    ]);
    const retryAfterSeconds = Number(headers['retry-after']);
    const comesMs = Date.now() + retryAfterSeconds * 1_000;
    expect(isoDay(comesMs + 5_000)).toBe(isoDay(Date.now() + 86_400_000));
  });

  test('is separate for each owner, and expires', async () => {
    await table.put({ PK: 'OWNER#spent', SK: `LINKS#${isoDay()}`, links: quota });

    expect((await create('thrifty')).statusCode).toBe(201);
    expect(await table.get('OWNER#thrifty', `LINKS#${isoDay()}`)).toEqual({
      PK: 'OWNER#thrifty',
      SK: `LINKS#${isoDay()}`,
      links: 1,
      ttl: Date.parse(isoDay()) / 1_000 + 172_800,
    });
  });

  test('counts requests for taken codes, exactly under concurrent requests', async () => {
    await table.put(link('taken-1'));
    const request = { url, owner: 'curious', code: 'taken-1', linksPerDay: quota };

    const attempts = Array.from({ length: 30 }, () => createLink(functionTable, request));
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome);

    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'over-quota')).toHaveLength(20);
    expect(await readUsed('curious')).toBe(10);
  });

  test('does not write to a taken link, because that would conflict with its clicks', async () => {
    await table.put(link('busy-1'));
    const written: string[] = [];
    fault = { after: (input) => void written.push(JSON.stringify(input)) };

    expect((await create('stranger', 'busy-1')).statusCode).toBe(409);

    expect(written.filter((input) => input.includes('TransactItems')).join()).not.toContain(
      'busy-1',
    );
  });

  test('does not reveal which codes are taken once it is used up', async () => {
    await table.put(link('taken-2'), { PK: 'OWNER#over', SK: `LINKS#${isoDay()}`, links: quota });

    expect((await create('over', 'taken-2')).statusCode).toBe(429);
    expect((await create('over', 'free-2')).statusCode).toBe(429);
    expect(await readLink('free-2')).toBeUndefined();
    expect(await readUsed('over')).toBe(quota);
  });

  test.each([
    ['by the SDK', 1],
    ['by the function', 4],
  ])(
    'counts a taken code once if the answer is lost and the request is retried %s',
    async (by, losses) => {
      const [owner, code] = [`asker-${losses}`, `taken-${losses}0`];
      await table.put(link(code), {
        ...{ PK: `OWNER#${owner}`, SK: `LINKS#${isoDay()}`, links: quota - 1, ttl: 4_000_000_000 },
      });
      const isLost = times(losses);
      const isCount = ({ TransactItems = [] }: { TransactItems?: unknown[] }) =>
        TransactItems.length === 1;
      fault = { after: (input) => (isCount(input) && isLost() ? connectionLost() : undefined) };

      // The lost request took the last unit. Its retry must not exceed the quota.
      expect([by, (await create(owner, code)).statusCode]).toEqual([by, 409]);
      expect(await readUsed(owner)).toBe(quota);
    },
  );
});

describe('an answer that is lost after the link is stored', () => {
  test('still creates the link if the SDK retries', async () => {
    const isLost = times(1);
    fault = { after: () => (isLost() ? connectionLost() : undefined) };

    expect((await create('lost-once', 'lost-once')).statusCode).toBe(201);
    expect(await readUsed('lost-once')).toBe(1);
  });

  test('still creates the link if the SDK gives up', async () => {
    loseAnswers();

    expect((await create('lost-often', 'lost-often')).statusCode).toBe(201);
    expect(await readUsed('lost-often')).toBe(1);
    expect(await readLink('lost-often')).toMatchObject({ owner: 'lost-often', clicks: 0 });
  });

  test("keeps the link's clicks since then", async () => {
    let counted: Promise<void> | undefined;
    loseAnswers(() => {
      counted ??= table.countClick('clicked', isoDay());
    });

    expect((await create('eager', 'clicked')).statusCode).toBe(201);

    await counted;
    expect(await readLink('clicked')).toMatchObject({ clicks: 1 });
  });

  test('takes the last unit of the quota once', async () => {
    await table.put({ PK: 'OWNER#last', SK: `LINKS#${isoDay()}`, links: quota - 1 });
    loseAnswers();

    expect((await create('last')).statusCode).toBe(201);
    expect(await readUsed('last')).toBe(quota);
  });

  test('stores a minted code once', async () => {
    loseAnswers();

    const { statusCode, body } = await create('minter');

    expect(statusCode).toBe(201);
    expect(await readLink(body.code)).toMatchObject({ owner: 'minter' });
    expect(await readUsed('minter')).toBe(1);
  });
});

test('a creation without proof of its commit is retried', async () => {
  vi.spyOn(functionTable.baseClient, 'send').mockImplementationOnce(async () => ({}));

  expect((await create('fooled', 'fooled')).statusCode).toBe(201);
  expect(await readLink('fooled')).toMatchObject({ owner: 'fooled' });
  expect(await readUsed('fooled')).toBe(1);
});

describe('a failing table', () => {
  test.each<[string, Fault['before']]>([
    ['a conflict on the quota', (input) => conflictAt('OWNER#', input)],
    ['throttled items', (input) => cancellation(input, { Code: 'ThrottlingError' })],
    ['a throttled request', () => serviceError('ThrottlingException', 400)],
    ['a failing server', () => serviceError('InternalServerError', 500)],
  ])('is retried: %s', async (title, before) => {
    const isBusy = times(2);
    fault = { before: (input) => (isBusy() ? before?.(input) : undefined) };

    expect([title, (await create(title)).statusCode]).toEqual([title, 201]);
    expect(await readUsed(title)).toBe(1);
  });

  test('that keeps failing is an error', async () => {
    fault = { before: (input) => conflictAt('OWNER#', input) };

    const { statusCode, body } = await create('unlucky');

    expect([statusCode, body]).toEqual([500, { message: 'Internal Server Error' }]);
    expect(await readUsed('unlucky')).toBeUndefined();
  });
});

describe('a failed condition without the existing item', () => {
  test('still shows that the code is taken', async () => {
    await table.put(link('bare'));
    fault = withoutItems;

    expect((await create('anyone', 'bare')).statusCode).toBe(409);
  });

  test('still shows that the link is stored', async () => {
    loseAnswers();
    Object.assign(fault, withoutItems);

    expect((await create('unseen', 'unseen')).statusCode).toBe(201);
    expect(await readUsed('unseen')).toBe(1);
  });
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

test('the log has the creator of a link, and nothing for a rejected one', async () => {
  await create('writer', 'audited');
  await create('writer', 'audited');

  expect(output.audits()).toEqual([{ action: 'created', sub: 'writer', code: 'audited' }]);
});
