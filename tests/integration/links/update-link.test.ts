import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { connectionLost, times } from '../../helpers/faults.ts';
import { call } from '../../helpers/http-api.ts';
import { link } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { useTable } from '../../helpers/test-table.ts';

// link-model.test.ts tries changes in any order.
const table = useTable(linkVariables, ['UpdateLink']);
const output = useOutput();
let handler: typeof import('../../../functions/update-link.ts').handler;
let takeDown: (code: string) => Promise<unknown>;
let afterUpdate: () => Error | undefined = () => undefined;

beforeAll(async () => {
  ({ handler } = await import('../../../functions/update-link.ts'));
  const { updateAnyLink } = await import('../../../lib/links/link-update.ts');
  const { table: access } = await import('../../../lib/dynamodb/table.ts');
  takeDown = (code) => updateAnyLink(access, { code, disabled: true });
  (access.client as unknown as DynamoDBClient).middlewareStack.add(
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

const url = 'https://example.com/';
const newUrl = 'https://new.example.com/';
const later = '2035-01-01T00:00:00.000Z';
const readItem = (code: string) => table.get(`LINK#${code}`, 'META');

/** Anna's link. */
const own = (code: string, more = {}) => ({ ...link(code, 3), owner: 'anna', ...more });

test('a change stores what it names, with the expiry in UTC, and undoing it leaves nothing', async () => {
  await table.put(own('edited'));

  await change('edited', { url: newUrl, expiresAt: '2035-01-01T02:00:00+02:00', disabled: true });
  const stored = await readItem('edited');
  await change('edited', { url, expiresAt: null, disabled: false });

  const changes = { url: newUrl, expiresAt: later, disabled: true, disabledBy: 'owner' };
  expect(stored).toEqual(own('edited', changes));
  expect(await readItem('edited')).toEqual(own('edited'));
});

test('a refused change says why, and changes nothing', async () => {
  await table.put(own('edited-2'), own('taken-down'));
  await change('edited-2', { url: newUrl, expiresAt: later });
  await takeDown('taken-down');

  const late = await change('edited-2', { url: `${url}late`, expected: { url, expiresAt: null } });
  const onlyExpiry = await change('edited-2', { expiresAt: null, expected: { expiresAt: null } });
  const enabled = await change('taken-down', { disabled: false });
  const moved = await change('taken-down', { url: newUrl, disabled: true });
  const foreign = await change('edited-2', { disabled: true }, 'bert');
  // Disabling it again succeeds, but the operator stays the one who did it.
  await change('taken-down', { disabled: true });

  const changed =
    'The link with the code "edited-2" has changed in the meantime. It now leads to ' +
    '"https://new.example.com/" and expires at 2035-01-01T00:00:00.000Z.';
  const takenDown =
    "An operator took down the link taken-down. Only an operator can enable it, and its address can't " +
    'be changed until then.';
  expect([late, onlyExpiry, enabled, moved, foreign]).toMatchObject([
    { statusCode: 409, body: { message: changed } },
    { statusCode: 409, body: { message: changed } },
    { statusCode: 403, body: { message: takenDown } },
    { statusCode: 403, body: { message: takenDown } },
    { statusCode: 404, body: { message: 'There is no link with the code "edited-2".' } },
  ]);
  expect(await readItem('edited-2')).toEqual(own('edited-2', { url: newUrl, expiresAt: later }));
  expect(await readItem('taken-down')).toMatchObject({ url, disabledBy: 'operator' });
});

test.each([true, false])(
  'an operator cannot create a link by changing it: %j',
  async (disabled) => {
    const { updateAnyLink } = await import('../../../lib/links/link-update.ts');
    const { table: access } = await import('../../../lib/dynamodb/table.ts');

    expect(await updateAnyLink(access, { code: 'no-link', disabled })).toBeUndefined();
    expect(await readItem('no-link')).toBeUndefined();
  },
);

test('an update succeeds even if it conflicts with clicks', async () => {
  await table.put(own('busy'));
  const isHot = times(2);
  const conflict = () => new TransactionConflictException({ message: 'busy', $metadata: {} });
  afterUpdate = () => (isHot() ? conflict() : undefined);

  expect(await change('busy', { disabled: true })).toMatchObject({ statusCode: 200 });
});

test.each([
  { url: newUrl },
  { expiresAt: later },
  { expiresAt: null },
  { url: newUrl, expiresAt: later, disabled: true },
])('an edit whose answer is lost succeeds, though the link has changed since: %j', async (body) => {
  await table.put(own('lost-edit', { expiresAt: '2034-01-01T00:00:00.000Z' }));
  const isLost = times(4);
  afterUpdate = () => (isLost() ? connectionLost() : undefined);
  const expected = { url, expiresAt: '2034-01-01T00:00:00.000Z' };

  const answer = await change('lost-edit', { ...body, expected });

  expect(answer).toMatchObject({ statusCode: 200, body: { clicks: 3 } });
});

test('an edit is logged once it has happened, and not if it is refused', async () => {
  await table.put(own('edit-log'));

  await change('edit-log', { url: newUrl, disabled: true });
  await change('edit-log', { url, expected: { url: 'https://example.com/old' } });
  await change('edit-log', { disabled: false });
  await change('edit-log', { disabled: true }, 'bert');

  expect(output.audits()).toEqual(
    ['edited', 'disabled', 'enabled'].map((action) => ({ action, sub: 'anna', code: 'edit-log' })),
  );
});
