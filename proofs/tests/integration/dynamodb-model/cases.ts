import type { Engine } from '../../../../local/engines/dynamodb.ts';
import { type Actions, farFuture } from './actions.ts';

/** Engines that behave differently, how, and why that is acceptable. */
type Disagreements = Partial<Record<Engine, { does: unknown; because: string }>>;

/** A behaviour that DynamoDB documents. */
type Case = [
  name: string,
  act: (actions: Actions) => Promise<unknown>,
  expected: unknown,
  disagreements?: Disagreements,
];

const existing = ['ConditionalCheckFailed', farFuture];
const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes) });
const slotNames = Array.from({ length: 128 }, (_, index) => {
  return `${'abcdefghijklm'[Math.floor(index / 10)]}${index % 10}`;
});

const unlike = (engine: Engine, does: unknown, because: string) => ({
  [engine]: { does, because },
});
const readsLate = unlike(
  'dynoxide',
  ['ValidationError'],
  'it parses an expression only at its turn in the transaction',
);
const hasNoKinds = (does: unknown) =>
  unlike(
    'dynamodb-local',
    does,
    'it does not distinguish writes from reads, and a new item costs nothing',
  );

const transactions: Case[] = [
  [
    'a marker and an increment are committed together, and an ADD creates a missing attribute',
    async ({ put, transact, marker, clicks, read }) => {
      await put('link');
      const result = await transact([marker('a'), clicks('link', 2)]);
      return [result, (await read('link'))?.clicks, (await read('a'))?.ttl];
    },
    ['committed', 2, farFuture],
  ],
  [
    'every failed condition is reported at its own position, and nothing is written',
    async ({ transact, marker, clicks, read }) => {
      await transact([marker('a')]);
      const quiet = marker('a', {}, { ReturnValuesOnConditionCheckFailure: 'NONE' });
      const result = await transact([marker('a'), marker('b'), clicks('link', 1)]);
      return [result, await transact([quiet]), await read('b'), await read('link')];
    },
    [
      [existing, 'None', 'ConditionalCheckFailed'],
      ['ConditionalCheckFailed'],
      undefined,
      undefined,
    ],
  ],
  [
    'an ADD to a string is a validation error at its position',
    async ({ put, transact, marker, clicks }) => {
      await put('link', { clicks: 'many' });
      return transact([marker('a'), clicks('link', 1)]);
    },
    ['None', 'ValidationError'],
    unlike(
      'dynamodb-local',
      'ValidationException',
      'it checks the operand with the request, before the transaction starts',
    ),
  ],
  [
    'a marker is replaced if it has expired, and not if it has no expiry',
    async ({ put, transact, marker, read }) => {
      await put('expired', { ttl: 1_700_000_000 });
      await put('alive', { ttl: farFuture });
      await put('endless');
      const replace = (name: string) => {
        const ConditionExpression = 'attribute_not_exists(PK) OR #ttl < :now';
        const ExpressionAttributeNames = { '#ttl': 'ttl' };
        const ExpressionAttributeValues = { ':now': 1_800_000_000 };
        const more = { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues };
        return transact([marker(name, {}, more)]);
      };
      const results = [await replace('expired'), await replace('alive'), await replace('endless')];
      return [...results, (await read('expired'))?.ttl];
    },
    ['committed', [existing], [['ConditionalCheckFailed', undefined]], farFuture],
  ],
  [
    'two actions on the same item are rejected',
    ({ transact, marker }) => transact([marker('a'), marker('a')]),
    'ValidationException',
    unlike(
      'dynamodb-local',
      ['None', existing],
      'it performs the actions one by one and does not compare their keys',
    ),
  ],
  [
    'a transaction has 1 to 100 actions',
    async ({ transact, marker }) => {
      const markers = Array.from({ length: 101 }, (_, index) => marker(`${index}`));
      return [await transact(markers.slice(1)), await transact(markers), await transact([])];
    },
    ['committed', 'ValidationException', 'ValidationException'],
  ],
  [
    'a repeated token has no second effect, and is rejected with other parameters',
    async ({ put, transact, clicks, read }) => {
      await put('link', { clicks: 1 });
      const results = [];
      for (const by of [1, 1, 2]) results.push(await transact([clicks('link', by)], 'token'));
      return [...results, (await read('link'))?.clicks];
    },
    ['committed', 'committed', 'IdempotentParameterMismatchException', 2],
  ],
  [
    'a token whose transaction was cancelled can be used again',
    async ({ put, transact, clicks, read }) => {
      const cancelled = await transact([clicks('link', 1)], 'token');
      await put('link', { clicks: 1 });
      return [
        cancelled,
        await transact([clicks('link', 1)], 'token'),
        (await read('link'))?.clicks,
      ];
    },
    [['ConditionalCheckFailed'], 'committed', 2],
  ],
  [
    'a partition key has at most 2,048 bytes, and an item at most 400 KB',
    async ({ put, transact, marker, update, keyOf }) => {
      const ofKey = (bytes: number) =>
        transact([marker('a', { PK: keyOf('').PK.padEnd(bytes, 'x') })]);
      await put('big', ofBytes(300 * 1024));
      const grow = update('big', {
        UpdateExpression: 'SET more = :more',
        ExpressionAttributeValues: { ':more': 'x'.repeat(110 * 1024) },
      });
      const keys = [await ofKey(2_048), await ofKey(2_049)];
      return [...keys, await transact([marker('b', ofBytes(410 * 1024))]), await transact([grow])];
    },
    ['committed', ['ValidationError'], 'ValidationException', ['ValidationError']],
  ],
];

const condition = (ConditionExpression: string) => ({ ConditionExpression });
/** Each clause is one operator, and so is each OR. */
const clauses = (count: number) => Array(count).fill('attribute_not_exists(a)').join(' OR ');

/** Updates of a new item that add one, but for these changes. */
const updates: [string, Parameters<Actions['update']>[1], unknown, Disagreements?][] = [
  [
    'AND binds more tightly than OR',
    condition('attribute_not_exists(a) OR attribute_exists(a) AND attribute_exists(b)'),
    'committed',
  ],
  [
    'parentheses bind more tightly than AND',
    condition('(attribute_not_exists(a) OR attribute_exists(a)) AND attribute_exists(b)'),
    ['ConditionalCheckFailed'],
  ],
  ['299 operators are allowed', condition(clauses(150)), 'committed'],
  [
    '301 operators are rejected',
    condition(clauses(151)),
    'ValidationException',
    unlike('dynoxide', 'committed', 'it does not count operators'),
  ],
  [
    'an expression of more than 4,096 bytes is rejected',
    condition('attribute_not_exists(PK)'.padEnd(4_097, ' ')),
    'ValidationException',
    readsLate,
  ],
  [
    'an attribute that is set twice is rejected',
    { UpdateExpression: 'SET a = :one, a = :one' },
    'ValidationException',
    unlike('dynoxide', 'committed', 'it sets the attribute twice'),
  ],
  [
    'an unused value is rejected',
    { ExpressionAttributeValues: { ':one': 1, ':two': 2 } },
    'ValidationException',
    readsLate,
  ],
  [
    'an undefined name is rejected',
    condition('attribute_exists(#ttl)'),
    'ValidationException',
    readsLate,
  ],
  [
    'a reserved word is rejected as a name',
    condition('attribute_not_exists(ttl)'),
    'ValidationException',
    readsLate,
  ],
];
const updateRows = updates.map(
  ([name, changes, expected, disagreements]): Case => [
    name,
    ({ transact, update }) => transact([update('new', changes)]),
    expected,
    disagreements,
  ],
);

const sheets: Case[] = [
  [
    'slots and a ttl are set on a new sheet, and slots are added to it',
    async ({ transact, slots, read, keyOf }) => {
      await transact([slots('sheet', ['a0', 'm7'], farFuture)]);
      const result = await transact([slots('sheet', ['a1'], farFuture)]);
      const { PK, SK, ...sheet } = (await read('sheet')) ?? {};
      return [result, PK === keyOf('sheet').PK, Object.keys(sheet).toSorted(), sheet.ttl];
    },
    ['committed', true, ['a0', 'a1', 'm7', 'ttl'], farFuture],
  ],
  [
    'a slot that is already set cancels the update, which returns the sheet',
    async ({ transact, slots, read }) => {
      await transact([slots('sheet', slotNames, farFuture)]);
      const result = await transact([slots('sheet', ['a0'], farFuture + 1)]);
      return [result, Object.keys((await read('sheet')) ?? {}).length];
    },
    [[existing], 131],
  ],
  [
    'a ttl can move forward, and not back, and a text is no ttl',
    async ({ put, transact, slots }) => {
      await transact([slots('sheet', ['a0'], farFuture - 1)]);
      const forward = await transact([slots('sheet', ['a1'], farFuture)]);
      const back = await transact([slots('sheet', ['a2'], farFuture - 1)]);
      await put('text', { ttl: '1' });
      return [forward, back, await transact([slots('text', ['a1'], farFuture)])];
    },
    ['committed', [existing], [['ConditionalCheckFailed', '1']]],
  ],
  [
    'a batch reads up to 100 different items, and returns those that exist',
    async ({ transact, slots, marker, readMany }) => {
      await transact([slots('sheet', ['a0'], farFuture), marker('a')]);
      const names = Array.from({ length: 101 }, (_, index) => `${index}`);
      const results = [await readMany(['sheet', 'a', 'b']), await readMany(names.slice(1))];
      return [...results, await readMany(names), await readMany(['sheet', 'sheet'])];
    },
    [[['a', 'sheet'], {}], [[], {}], 'ValidationException', 'ValidationException'],
  ],
];

const capacity: Case[] = [
  [
    'a transaction costs two units for each item of up to 1 KB',
    async ({ put, consume, slots, marker, clicks }) => {
      await put('link');
      return consume([slots('sheet', slotNames, farFuture), marker('a'), clicks('link', 1)]);
    },
    [{ CapacityUnits: 6, WriteCapacityUnits: 6 }],
    hasNoKinds([{ CapacityUnits: 2 }]),
  ],
  [
    'the cost is per started KB of the larger item, before or after the update',
    async ({ put, consume, update, marker }) => {
      await put('grown', ofBytes(2_000));
      await put('shrunk', ofBytes(3_000));
      const shrink = marker('shrunk', {}, { ConditionExpression: undefined });
      return consume([update('grown'), shrink]);
    },
    [{ CapacityUnits: 10, WriteCapacityUnits: 10 }],
    hasNoKinds([{ CapacityUnits: 10 }]),
  ],
  [
    'a repeated token costs the same as reading the items',
    async ({ put, consume, update }) => {
      await put('item', ofBytes(3_000));
      return [await consume([update('item')], 'token'), await consume([update('item')], 'token')];
    },
    [[{ CapacityUnits: 6, WriteCapacityUnits: 6 }], [{ CapacityUnits: 2, ReadCapacityUnits: 2 }]],
    hasNoKinds([[{ CapacityUnits: 6 }], [{ CapacityUnits: 2 }]]),
  ],
];

export const cases: Case[] = [...transactions, ...updateRows, ...sheets, ...capacity];
