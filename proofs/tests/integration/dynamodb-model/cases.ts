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

type Row = [name: string, act: Case['act'], expected: unknown, Case['disagreements']?];

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

const transactions: Row[] = [
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
const updates: [
  name: string,
  changes: Parameters<Actions['update']>[1],
  expected: unknown,
  Case['disagreements']?,
][] = [
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
  ([name, changes, expected, disagreements]): Row => [
    name,
    ({ transact, update }) => transact([update('new', changes)]),
    expected,
    disagreements,
  ],
);

const sheets: Row[] = [
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

const capacity: Row[] = [
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
  [
    'a single write costs a unit per started KB of the larger item, and a delete at least one',
    async ({ put, updateOne, drop }) => {
      const more = {
        UpdateExpression: 'SET more = :more',
        ExpressionAttributeValues: { ':more': 'x'.repeat(1_000) },
      };
      const grown = [await put('a', ofBytes(900)), await put('a', ofBytes(1_100))];
      return [
        ...grown,
        await updateOne('a', more),
        await put('a'),
        await drop('a'),
        await drop('a'),
      ];
    },
    [1, 2, 3, 3, 1, 1],
  ],
];

const nowMs = 1_800_000_000_123;
const timedOut = { expiration: 1_800_000_001, in_progress_expiration: nowMs - 1 };

/** Existing records, and what becomes of a call that begins as Powertools' own layer does. */
const records: [name: string, record: object, expected: unknown][] = [
  [
    'an unexpired record fails the condition and is returned',
    { status: 'COMPLETED', expiration: 1_800_000_001 },
    ['refused', 'COMPLETED'],
  ],
  ['an expired record is replaced', { status: 'COMPLETED', expiration: 1_800_000_000 }, 1],
  ['a call that timed out is replaced', { status: 'INPROGRESS', ...timedOut }, 1],
  [
    'a different string is not equal',
    { status: 'inprogress', ...timedOut },
    ['refused', 'inprogress'],
  ],
  ['a number does not equal a string', { status: 1, ...timedOut }, ['refused', 1]],
];
const recordRows = records.map(
  ([name, record, expected]): Row => [
    name,
    async ({ put }) => {
      await put('record', { ...record });
      const names = {
        ...{ '#id': 'PK', '#expiry': 'expiration', '#status': 'status' },
        '#in_progress_expiry': 'in_progress_expiration',
      };
      const values = {
        ':now': nowMs / 1_000,
        ':now_in_millis': nowMs,
        ':inprogress': 'INPROGRESS',
      };
      return put(
        'record',
        { status: 'begun again' },
        {
          ConditionExpression:
            'attribute_not_exists(#id) OR #expiry < :now OR (#status = :inprogress AND attribute_exists(#in_progress_expiry) AND #in_progress_expiry < :now_in_millis)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      );
    },
    expected,
  ],
);

const singleWrites: Row[] = [
  [
    'an update creates a missing item, keeps other attributes, and creates nothing if its condition fails',
    async ({ updateOne, read }) => {
      await updateOne('a');
      await updateOne('a', { UpdateExpression: 'SET more = :one' });
      const refused = await updateOne('b', condition('attribute_exists(PK)'));
      const { clicks, more } = (await read('a')) ?? {};
      return [clicks, more, refused, await read('b')];
    },
    [1, 1, ['refused', undefined], undefined],
  ],
  [
    'an ADD to a string is rejected',
    async ({ put, updateOne }) => {
      await put('link', { clicks: 'many' });
      return updateOne('link');
    },
    'ValidationException',
  ],
];

const rows = [transactions, updateRows, sheets, capacity, recordRows, singleWrites].flat();

export const cases = rows.map(
  ([name, act, expected, disagreements]): Case => ({ name, act, expected, disagreements }),
);
