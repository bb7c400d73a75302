import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { connectionLost, times } from '../../helpers/faults.ts';
import { call } from '../../helpers/http-api.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

const table = useTable(linkVariables, ['UpdateLink']);
const output = useOutput();
let handler: typeof import('../../../functions/update-link.ts').handler;
let operate: typeof import('../../../lib/links/link-update.ts').updateAnyLink;
let client: DynamoDBDocumentClient;
let afterUpdate: () => Error | undefined = () => undefined;

beforeAll(async () => {
  ({ handler } = await import('../../../functions/update-link.ts'));
  ({ updateAnyLink: operate } = await import('../../../lib/links/link-update.ts'));
  ({ client } = (await import('../../../lib/dynamodb/table.ts')).table);
  (client as unknown as DynamoDBClient).middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      const lost = context.commandName === 'UpdateItemCommand' ? afterUpdate() : undefined;
      if (lost) throw lost;
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
});

afterEach(() => {
  afterUpdate = () => undefined;
});

const change = (code: string, body: object, caller = 'anna') =>
  call(
    handler,
    { routeKey: 'PATCH /links/{code}', pathParameters: { code }, body: JSON.stringify(body) },
    caller,
  );

const update = (code: string, disabled: boolean, caller?: string) =>
  change(code, { disabled }, caller);

const takeDown = (code: string, disabled = true) =>
  operate({ client, tableName: table.tableName }, { code, disabled });

const url = 'https://example.com/';
const readItem = (code: string) => table.get(`LINK#${code}`, 'META');

/** Anna's link. */
const own = (code: string, more = {}) => ({ ...link(code, 3), owner: 'anna', ...more });

describe('the owner', () => {
  test('disables a link and enables it again', async () => {
    await table.put(own('switch'));
    const answer = {
      ...{ code: 'switch', shortUrl: 'https://go.example.com/switch', url: 'https://example.com/' },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', clicks: 3, people: 0, bots: 0 },
    };

    const disabled = await update('switch', true);
    const stored = await readItem('switch');
    const enabled = await update('switch', false);

    expect(disabled).toMatchObject({ statusCode: 200, body: { ...answer, disabled: true } });
    expect(stored).toEqual(own('switch', { disabled: true, disabledBy: 'owner' }));
    expect(enabled.body).toEqual({ ...answer, disabled: false });
    expect(await readItem('switch')).toEqual(own('switch'));
  });

  test.each([true, false])('may repeat an update: disabled %j', async (disabled) => {
    await table.put(own('repeated'));

    await update('repeated', disabled);
    const { statusCode, body } = await update('repeated', disabled);

    expect([statusCode, body.disabled]).toEqual([200, disabled]);
  });

  test('gets 200 even if the update conflicts with clicks', async () => {
    await table.put(own('busy'));
    const isHot = times(2);
    const conflict = () => new TransactionConflictException({ message: 'busy', $metadata: {} });
    afterUpdate = () => (isHot() ? conflict() : undefined);

    expect((await update('busy', true)).statusCode).toBe(200);
  });

  test('cannot enable a link that an operator took down, or appear as the one who disabled it', async () => {
    await table.put(own('taken-down'));
    await takeDown('taken-down');

    const disabled = await update('taken-down', true);
    const enabled = await update('taken-down', false);

    expect([disabled.statusCode, disabled.body.disabled]).toEqual([200, true]);
    expect([enabled.statusCode, enabled.body]).toEqual([
      403,
      {
        message:
          "An operator took down the link taken-down. Only an operator can enable it, and its address can't " +
          'be changed until then.',
      },
    ]);
    expect(await readItem('taken-down')).toMatchObject({ disabled: true, disabledBy: 'operator' });
  });
});

describe('an edit', () => {
  const newUrl = 'https://new.example.com/';
  const later = '2035-01-01T00:00:00.000Z';

  test('changes the destination and keeps the clicks', async () => {
    await table.put(own('edited'));

    const { statusCode, body } = await change('edited', { url: newUrl });

    expect([statusCode, body]).toMatchObject([200, { url: newUrl, clicks: 3, disabled: false }]);
    expect(await readItem('edited')).toEqual(own('edited', { url: newUrl }));
  });

  test('sets an expiry and removes it', async () => {
    await table.put(own('expiring'));

    const expiring = await change('expiring', { expiresAt: '2035-01-01T02:00:00+02:00' });
    const stored = await readItem('expiring');
    const endless = await change('expiring', { expiresAt: null });

    expect(expiring.body).toMatchObject({ expiresAt: later });
    expect(stored).toEqual(own('expiring', { expiresAt: later }));
    expect(endless.body).not.toHaveProperty('expiresAt');
    expect(await readItem('expiring')).toEqual(own('expiring'));
  });

  test('in a second tab is refused, even if only the expiry changed, and says what the first one did', async () => {
    await table.put(own('two-tabs'));
    const expected = { url: 'https://example.com/', expiresAt: null };

    const first = await change('two-tabs', { url: newUrl, expiresAt: later, expected });
    const second = await change('two-tabs', { url: 'https://other.example.com/', expected });
    const again = await change('two-tabs', {
      url: 'https://other.example.com/',
      expected: { url: newUrl, expiresAt: later },
    });

    const late = await change('two-tabs', {
      expiresAt: '2034-01-01T00:00:00Z',
      expected: { expiresAt: null },
    });

    expect(first.statusCode).toBe(200);
    expect([second.statusCode, second.body]).toEqual([
      409,
      {
        message:
          'The link with the code "two-tabs" has changed in the meantime. It now leads to ' +
          '"https://new.example.com/" and expires at 2035-01-01T00:00:00.000Z.',
      },
    ]);
    expect(again.body).toMatchObject({ url: 'https://other.example.com/', expiresAt: later });
    expect(late.statusCode).toBe(409);
    expect(await readItem('two-tabs')).toMatchObject({ expiresAt: later });
  });

  test.each([
    { url: newUrl },
    { expiresAt: later },
    { expiresAt: null },
    { url: newUrl, expiresAt: later, disabled: true },
  ])('whose answer is lost succeeds, though the link has changed since: %j', async (body) => {
    await table.put(own('lost-edit', { expiresAt: '2034-01-01T00:00:00.000Z' }));
    const isLost = times(4);
    afterUpdate = () => (isLost() ? connectionLost() : undefined);
    const expected = { url: 'https://example.com/', expiresAt: '2034-01-01T00:00:00.000Z' };

    const { statusCode, body: answer } = await change('lost-edit', { ...body, expected });

    expect([statusCode, answer.clicks]).toEqual([200, 3]);
  });

  // An operator who enables it must not send visitors to a page that no operator has seen.
  test('of a link that an operator took down may change only its expiry', async () => {
    await table.put(own('down-edit'));
    await takeDown('down-edit');

    const edits = [{ url: newUrl }, { url: newUrl, disabled: true }, { url, expected: { url } }];
    for (const edit of edits) expect((await change('down-edit', edit)).statusCode).toBe(403);
    const expiring = await change('down-edit', { expiresAt: later });
    await takeDown('down-edit', false);
    const edited = await change('down-edit', { url: newUrl });

    expect(expiring.body).toMatchObject({ url, expiresAt: later, disabled: true });
    expect(edited.body).toMatchObject({ url: newUrl, disabled: false });
  });

  test('is logged once it has happened, and not if it is refused', async () => {
    await table.put(own('edit-log'));

    await change('edit-log', { url: newUrl, disabled: true });
    await change('edit-log', { url, expected: { url: 'https://example.com/old' } });
    await update('edit-log', false);
    await update('edit-log', true, 'bert');

    expect(output.audits()).toEqual(
      ['edited', 'disabled', 'enabled'].map((action) => ({
        action,
        sub: 'anna',
        code: 'edit-log',
      })),
    );
  });
});

test.each([true, false])(
  'another user cannot change a link or learn that it exists: disabled %j',
  async (disabled) => {
    await table.put(own('foreign'), own('foreign-down'), link('ownerless'));
    await takeDown('foreign-down');

    for (const code of ['foreign', 'foreign-down', 'ownerless', 'absent']) {
      const { statusCode, body } = await update(code, disabled, 'bert');
      const message = `There is no link with the code "${code}".`;
      expect([statusCode, body]).toEqual([404, { message }]);
    }
    expect(await readItem('foreign')).toEqual(own('foreign'));
    expect(await readItem('absent')).toBeUndefined();
  },
);

describe('an operator', () => {
  test('takes down any link, even a disabled one, and enables it again', async () => {
    await table.put(own('any-1', { disabled: true, disabledBy: 'owner' }), link('any-2'));

    expect(await takeDown('any-1')).toMatchObject({ disabled: true, disabledBy: 'operator' });
    expect(await takeDown('any-2')).toMatchObject({ disabled: true, disabledBy: 'operator' });
    await takeDown('any-1', false);
    await update('any-1', true);
    await takeDown('any-1', false);

    expect(await readItem('any-1')).toEqual(own('any-1'));
  });

  test.each([true, false])('cannot create a link by changing it: disabled %j', async (disabled) => {
    expect(await takeDown('no-link', disabled)).toBeUndefined();
    expect(await readItem('no-link')).toBeUndefined();
  });
});

test.each([['{}'], ['no JSON']])('the body %s is rejected', async (body) => {
  const answer = await call(handler, {
    routeKey: 'PATCH /links/{code}',
    pathParameters: { code: 'abcd' },
    body,
  });

  expect(answer.statusCode).toBe(400);
});
