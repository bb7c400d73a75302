import { expect, test } from 'vitest';
import { updateAnyLink } from '../../../lib/links/storage/link-update.ts';
import { useApi } from '../../helpers/api.ts';
import {
  cancellation,
  conflictAt,
  connectionLost,
  type Fault,
  times,
} from '../../helpers/faults.ts';
import { link } from '../../helpers/items.ts';

// link-model.test.ts tries changes in any order. Here are their messages, and faults.
const { table, operator, faults, send } = useApi(['UpdateLink']);
const url = 'https://example.com/';
const newUrl = 'https://new.example.com/';
const expiresAt = '2035-01-01T00:00:00.000Z';

const change = async (code: string, body: object, caller = 'anna') => {
  const answer = await send(caller, `PATCH /links/${code}`, { body });
  return [answer.statusCode, answer.body.message ?? answer.body.clicks];
};

/** Anna's link. */
const own = (code: string, more = {}) => ({ ...link(code, 3), owner: 'anna', ...more });

test('a rejected change says why', async () => {
  await table.put(own('moved', { url: newUrl }), own('expiring', { expiresAt }), own('down'));
  await updateAnyLink(operator(), { code: 'down', disabled: true });
  const late = { url: `${url}late` };
  const never = { expiresAt: null };

  const has = (code: string) =>
    `The link with the code "${code}" has changed in the meantime. It now`;
  const takenDown =
    "An operator took down the link down. Only an operator can enable it. Until then, you can't change " +
    'its address or whether it forwards queries.';
  expect(await change('moved', { ...late, expected: { url } })).toEqual([
    ...[409, `${has('moved')} leads to "https://new.example.com/" and never expires.`],
  ]);
  expect(await change('expiring', { ...never, expected: never })).toEqual([
    ...[409, `${has('expiring')} leads to "https://example.com/" and expires at ${expiresAt}.`],
  ]);
  expect(await change('down', { disabled: false })).toEqual([403, takenDown]);
  expect(await change('down', { forwardQuery: true })).toEqual([403, takenDown]);
  expect((await change('down', { expiresAt, expected: { url: newUrl } }))[0]).toBe(409);
  expect(await change('moved', late, 'bert')).toEqual([
    ...[404, 'There is no link with the code "moved".'],
  ]);
});

test('title, tags and forwardQuery are changed and removed, and a change that expects others is rejected', async () => {
  await table.put(own('tagged', { title: 'Sale', tags: ['a', 'b'] }));
  const status = async (asked: object) => (await change('tagged', asked))[0];
  const read = async () => {
    const { title, tags, forwardQuery } = (await table.get('LINK#tagged', 'META')) ?? {};
    return [title, tags, forwardQuery];
  };

  for (const expected of [{ tags: ['b', 'a'] }, { tags: null }, { forwardQuery: true }]) {
    expect(await status({ title: 'Other', expected }), JSON.stringify(expected)).toBe(409);
  }
  expect(await read()).toEqual(['Sale', ['a', 'b'], undefined]);
  const expected = { title: 'Sale', tags: ['a', 'b'], forwardQuery: false };
  expect(await status({ title: 'New', tags: ['C', 'c'], forwardQuery: true, expected })).toBe(200);
  expect(await read()).toEqual(['New', ['c'], true]);
  expect(await status({ title: '', tags: [], forwardQuery: false })).toBe(200);
  expect(await read()).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['its answer is lost', { url: newUrl, expiresAt: null, disabled: true }, connectionLost],
  ['its answer is lost', { title: 'Sale', tags: ['a', 'b'] }, connectionLost],
  ['it conflicts with clicks', { disabled: true }, (input) => conflictAt('LINK#busy', input)],
] satisfies [string, object, NonNullable<Fault['after']>][])(
  'a change succeeds even if %s: %j',
  async (_, body, makeError) => {
    const expected = { url, expiresAt: '2034-01-01T00:00:00.000Z' };
    await table.put(own('busy', expected));
    const fails = times(4);
    const fault: Fault = { after: (input) => (fails() ? makeError(input) : undefined) };
    faults.set('TransactWriteItems', fault);

    expect(await change('busy', { ...body, expected })).toEqual([200, 3]);
  },
);

test('a change that is made twice at once succeeds, even if DynamoDB rejects one without the item', async () => {
  await table.put(own('bare'));
  const isFirst = times(1);
  const expected = { title: null };
  faults.set('TransactWriteItems', {
    before: async (input) => {
      if (!isFirst()) return;
      await change('bare', { title: 'Sale', expected });
      throw cancellation(input, { Code: 'ConditionalCheckFailed' }, ({ Update }) =>
        Boolean(Update),
      );
    },
  });

  expect(await change('bare', { title: 'Sale', expected })).toEqual([200, 3]);
});
