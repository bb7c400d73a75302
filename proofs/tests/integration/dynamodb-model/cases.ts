import type { Engine } from '../../../../local/engines/dynamodb.ts';
import { type Actions, farFuture } from './actions.ts';

/** One thing that DynamoDB does, as its documentation says. */
export interface Case {
  name: string;
  act: (actions: Actions) => Promise<unknown>;
  expected: unknown;
  /** Engines that do something else, what they do, and why that may be. */
  disagreements?: Partial<Record<Engine, { does: unknown; because: string }>>;
}

const existing = ['ConditionalCheckFailed', farFuture];

export const cases: Case[] = [
  {
    name: 'a marker and an increment are committed together',
    act: async ({ putLink, transact, putMarker, addClicks, readClicks, readMarker }) => {
      await putLink({ clicks: 1 });
      const result = await transact([putMarker('a'), addClicks(2)]);
      return [result, await readClicks(), (await readMarker('a'))?.ttl];
    },
    expected: ['committed', 3, farFuture],
  },
  {
    name: 'an ADD makes an attribute that is not there',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      await putLink();
      return [await transact([addClicks(2)]), await readClicks()];
    },
    expected: ['committed', 2],
  },
  {
    name: 'a marker that exists cancels all, with the item that is there',
    act: async ({ putLink, transact, putMarker, addClicks, readClicks, readMarker }) => {
      await putLink({ clicks: 1 });
      await transact([putMarker('b')]);
      const result = await transact([putMarker('a'), putMarker('b'), addClicks(2)]);
      return [result, await readClicks(), await readMarker('a')];
    },
    expected: [['None', existing, 'None'], 1, undefined],
  },
  {
    name: 'without ALL_OLD the item is not returned',
    act: async ({ transact, putMarker }) => {
      await transact([putMarker('a')]);
      const { Put } = putMarker('a');
      return transact([{ Put: { ...Put, ReturnValuesOnConditionCheckFailure: 'NONE' } }]);
    },
    expected: ['ConditionalCheckFailed'],
  },
  {
    name: 'every failed condition is reported at its own position',
    act: async ({ transact, putMarker, addClicks }) => {
      await transact([putMarker('a')]);
      return transact([putMarker('a'), putMarker('b'), addClicks(1)]);
    },
    expected: [existing, 'None', 'ConditionalCheckFailed'],
  },
  {
    name: 'a failed condition creates nothing',
    act: async ({ transact, addClicks, read, linkKey }) => {
      await transact([addClicks(1)]);
      return read(linkKey);
    },
    expected: undefined,
  },
  {
    name: 'an ADD to text is a reason of its own',
    act: async ({ putLink, transact, putMarker, addClicks }) => {
      await putLink({ clicks: 'many' });
      return transact([putMarker('a'), addClicks(1)]);
    },
    expected: ['None', 'ValidationError'],
    disagreements: {
      'dynamodb-local': {
        does: 'ValidationException',
        because: 'it checks the operand as it checks the request, before it has a transaction',
      },
    },
  },
  {
    name: 'an expired marker is replaced where the condition allows it',
    act: async ({ store, markerKey, transact, replaceMarker, readMarker }) => {
      await store({ ...markerKey('a'), ttl: 1_700_000_000 });
      const result = await transact([replaceMarker('a', 1_800_000_000)]);
      return [result, (await readMarker('a'))?.ttl];
    },
    expected: ['committed', farFuture],
  },
  {
    name: 'a marker that is alive is not replaced',
    act: async ({ transact, putMarker, replaceMarker }) => {
      await transact([putMarker('a')]);
      return transact([replaceMarker('a', 1_800_000_000)]);
    },
    expected: [existing],
  },
  {
    name: 'a comparison with an attribute that is not there is false',
    act: async ({ store, markerKey, transact, replaceMarker }) => {
      await store(markerKey('a'));
      return transact([replaceMarker('a', 1_800_000_000)]);
    },
    expected: [['ConditionalCheckFailed', undefined]],
  },
  {
    name: 'two actions on one item are refused',
    act: ({ transact, putMarker }) => transact([putMarker('a'), putMarker('a')]),
    expected: 'ValidationException',
    disagreements: {
      'dynamodb-local': {
        does: ['None', existing],
        because: 'it performs the actions one after another and does not compare their keys',
      },
    },
  },
  {
    name: '100 actions are allowed',
    act: ({ transact, makeMarkers }) => transact(makeMarkers(100)),
    expected: 'committed',
  },
  {
    name: '101 actions are refused',
    act: ({ transact, makeMarkers }) => transact(makeMarkers(101)),
    expected: 'ValidationException',
  },
  {
    name: 'a transaction without actions is refused',
    act: ({ transact }) => transact([]),
    expected: 'ValidationException',
  },
  {
    name: 'a token that is sent again has no second effect',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      await putLink({ clicks: 1 });
      const first = await transact([addClicks(1)], 'token');
      return [first, await transact([addClicks(1)], 'token'), await readClicks()];
    },
    expected: ['committed', 'committed', 2],
  },
  {
    name: 'a token that is sent again with other parameters is refused',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      await putLink({ clicks: 1 });
      await transact([addClicks(1)], 'token');
      return [await transact([addClicks(2)], 'token'), await readClicks()];
    },
    expected: ['IdempotentParameterMismatchException', 2],
  },
  {
    name: 'a token whose transaction was cancelled is as good as new',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      const cancelled = await transact([addClicks(1)], 'token');
      await putLink({ clicks: 1 });
      return [cancelled, await transact([addClicks(1)], 'token'), await readClicks()];
    },
    expected: [['ConditionalCheckFailed'], 'committed', 2],
  },
  {
    name: 'an empty key is refused',
    act: ({ transact, addClicks }) => transact([addClicks(1, { PK: '', SK: 'META' })]),
    expected: 'ValidationException',
  },
  {
    name: 'a partition key of 2,048 bytes is allowed',
    act: ({ transact, putMarker, prefix }) =>
      transact([putMarker('a', { PK: prefix.padEnd(2_048, 'x') })]),
    expected: 'committed',
  },
  {
    name: 'a partition key of 2,049 bytes is a reason of its own',
    act: ({ transact, putMarker, prefix }) =>
      transact([putMarker('a', { PK: prefix.padEnd(2_049, 'x') })]),
    expected: ['ValidationError'],
  },
  {
    name: 'an item over 400 KB is refused',
    act: ({ transact, putMarker }) => transact([putMarker('a', { text: 'x'.repeat(410 * 1024) })]),
    expected: 'ValidationException',
  },
  {
    name: 'of two puts of one link the second fails',
    act: async ({ store, linkKey }) => {
      const put = () => store(linkKey, 'attribute_not_exists(PK)');
      return [await put(), await put()];
    },
    expected: ['done', 'ConditionalCheckFailedException'],
  },
  {
    name: 'a query gives the days of one link in a range, ascending',
    act: async ({ putLink, store, linkKey, prefix, query }) => {
      for (const day of ['05-03', '05-01', '05-02', '06-01']) {
        await store({ PK: linkKey.PK, SK: `STAT#2026-${day}` });
      }
      await putLink();
      await store({ PK: `${prefix}#other`, SK: 'STAT#2026-05-02' });
      return query('STAT#2026-05-01', 'STAT#2026-05-31');
    },
    expected: ['STAT#2026-05-01', 'STAT#2026-05-02', 'STAT#2026-05-03'],
  },
];
