import type { Engine } from '../../../../local/engines/dynamodb.ts';
import { type Actions, farFuture } from './actions.ts';

/** A behaviour that DynamoDB documents. */
export interface Case {
  name: string;
  act: (actions: Actions) => Promise<unknown>;
  expected: unknown;
  /** Engines that behave differently, how, and why that is acceptable. */
  disagreements?: Partial<Record<Engine, { does: unknown; because: string }>> | undefined;
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
    name: 'an ADD creates a missing attribute',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      await putLink();
      return [await transact([addClicks(2)]), await readClicks()];
    },
    expected: ['committed', 2],
  },
  {
    name: 'an existing marker cancels the transaction and is returned',
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
    name: 'an ADD to a string is a validation error at its position',
    act: async ({ putLink, transact, putMarker, addClicks }) => {
      await putLink({ clicks: 'many' });
      return transact([putMarker('a'), addClicks(1)]);
    },
    expected: ['None', 'ValidationError'],
    disagreements: {
      'dynamodb-local': {
        does: 'ValidationException',
        because: 'it checks the operand with the request, before the transaction starts',
      },
    },
  },
  {
    name: 'a marker is replaced if it has expired, and not if it has no expiry',
    act: async ({ store, markerKey, transact, putMarker, replaceMarker, readMarker }) => {
      await store({ ...markerKey('expired'), ttl: 1_700_000_000 });
      await transact([putMarker('alive')]);
      await store(markerKey('endless'));
      const replace = (id: string) => transact([replaceMarker(id, 1_800_000_000)]);
      const results = [await replace('expired'), await replace('alive'), await replace('endless')];
      return [...results, (await readMarker('expired'))?.ttl];
    },
    expected: ['committed', [existing], [['ConditionalCheckFailed', undefined]], farFuture],
  },
  {
    name: 'two actions on the same item are rejected',
    act: ({ transact, putMarker }) => transact([putMarker('a'), putMarker('a')]),
    expected: 'ValidationException',
    disagreements: {
      'dynamodb-local': {
        does: ['None', existing],
        because: 'it performs the actions one by one and does not compare their keys',
      },
    },
  },
  {
    name: 'a transaction has 1 to 100 actions',
    act: async ({ transact, makeMarkers }) => [
      await transact(makeMarkers(100)),
      await transact(makeMarkers(101)),
      await transact([]),
    ],
    expected: ['committed', 'ValidationException', 'ValidationException'],
  },
  {
    name: 'a repeated token has no second effect, and is rejected with other parameters',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      await putLink({ clicks: 1 });
      const results = [];
      for (const by of [1, 1, 2]) results.push(await transact([addClicks(by)], 'token'));
      return [...results, await readClicks()];
    },
    expected: ['committed', 'committed', 'IdempotentParameterMismatchException', 2],
  },
  {
    name: 'a token whose transaction was cancelled can be used again',
    act: async ({ putLink, transact, addClicks, readClicks }) => {
      const cancelled = await transact([addClicks(1)], 'token');
      await putLink({ clicks: 1 });
      return [cancelled, await transact([addClicks(1)], 'token'), await readClicks()];
    },
    expected: [['ConditionalCheckFailed'], 'committed', 2],
  },
  {
    name: 'an empty key is rejected',
    act: ({ transact, addClicks }) => transact([addClicks(1, { PK: '', SK: 'META' })]),
    expected: 'ValidationException',
  },
  {
    name: 'a partition key above 2,048 bytes is a validation error at its position',
    act: async ({ transact, putMarker, prefix }) => {
      const putKey = (bytes: number) => putMarker('a', { PK: prefix.padEnd(bytes, 'x') });
      return [await transact([putKey(2_048)]), await transact([putKey(2_049)])];
    },
    expected: ['committed', ['ValidationError']],
  },
  {
    name: 'an item above 400 KB is rejected',
    act: ({ transact, putMarker }) => transact([putMarker('a', { text: 'x'.repeat(410 * 1024) })]),
    expected: 'ValidationException',
  },
  {
    name: 'the second put of the same link fails',
    act: async ({ store, linkKey }) => {
      const put = () => store(linkKey, 'attribute_not_exists(PK)');
      return [await put(), await put()];
    },
    expected: ['done', 'ConditionalCheckFailedException'],
  },
  {
    name: "a query returns a link's days in a range, in ascending order",
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
