import { farFuture } from './actions.ts';
import type { Case } from './cases.ts';

const response = { statusCode: 201, body: '{"cents":250}' };

/** DynamoDB's behaviour for an order's puts, increment and update. */
export const orderCases: Case[] = [
  {
    name: 'a marker, an order, its outbox item, a total and a voucher are committed together',
    act: async ({ store, read, transact, putMarker, orderKey, ...order }) => {
      await store(orderKey('voucher'));
      const result = await transact([
        putMarker('a'),
        order.raiseTotal('total', 250),
        order.putOrder('order'),
        order.putOutbox('outbox'),
        order.redeem('voucher', 'order'),
      ]);
      const { redeemedBy } = (await read(orderKey('voucher'))) ?? {};
      const names = ['total', 'order', 'outbox'];
      const items = await Promise.all(names.map((name) => read(orderKey(name))));
      return [result, redeemedBy, items.map((item) => item?.cents)];
    },
    expected: ['committed', 'order', [250, 250, 250]],
  },
  {
    name: 'an increment without a condition creates its item',
    act: async ({ read, transact, raiseTotal, orderKey }) => {
      await transact([raiseTotal('total', 250)]);
      await transact([raiseTotal('total', 50)]);
      return (await read(orderKey('total')))?.cents;
    },
    expected: 300,
  },
  {
    name: 'a put without a condition replaces the whole item',
    act: async ({ store, read, transact, putOutbox, orderKey }) => {
      await store({ ...orderKey('outbox'), old: 'yes' });
      const result = await transact([putOutbox('outbox')]);
      const { old, cents } = (await read(orderKey('outbox'))) ?? {};
      return [result, old, cents];
    },
    expected: ['committed', undefined, 250],
  },
  {
    name: 'an existing order cancels the marker, the total and the outbox item',
    act: async ({ store, read, readMarker, transact, putMarker, orderKey, ...order }) => {
      await store({ ...orderKey('order'), ttl: farFuture });
      const result = await transact([
        putMarker('a'),
        order.raiseTotal('total', 250),
        order.putOrder('order'),
        order.putOutbox('outbox'),
      ]);
      const left = [readMarker('a'), read(orderKey('total')), read(orderKey('outbox'))];
      return [result, await Promise.all(left)];
    },
    expected: [
      ['None', 'None', ['ConditionalCheckFailed', farFuture], 'None'],
      [undefined, undefined, undefined],
    ],
  },
  {
    name: 'an update of a missing item fails and does not create it',
    act: async ({ read, transact, redeem, orderKey }) => [
      await transact([redeem('voucher', 'order')]),
      await read(orderKey('voucher')),
    ],
    expected: [['ConditionalCheckFailed'], undefined],
  },
  {
    name: 'an update whose attribute is set fails and returns the item',
    act: async ({ store, read, transact, redeem, orderKey }) => {
      await store({ ...orderKey('voucher'), redeemedBy: 'first', ttl: farFuture });
      const result = await transact([redeem('voucher', 'second')]);
      return [result, (await read(orderKey('voucher')))?.redeemedBy];
    },
    expected: [[['ConditionalCheckFailed', farFuture]], 'first'],
  },
  {
    name: 'a map is stored unchanged and returned with a failed condition',
    act: async ({ transact, readRefused, putMarker, readMarker }) => {
      await transact([putMarker('a', { data: response })]);
      const [refused] = await readRefused([putMarker('a')]);
      return [(await readMarker('a'))?.data, refused?.data];
    },
    expected: [response, response],
  },
  {
    name: 'ADD rejects a map that contains a number',
    act: async ({ store, transact, raiseTotal, orderKey }) => {
      await store({ ...orderKey('total'), cents: response });
      return transact([raiseTotal('total', 1)]);
    },
    expected: ['ValidationError'],
    disagreements: {
      'dynamodb-local': {
        does: 'ValidationException',
        because: 'it checks the operand with the request, before the transaction starts',
      },
    },
  },
  {
    name: 'a map of more than 1 KB costs the same as a string of that size',
    act: async ({ consume, putOrder }) => {
      const ofBytes = (bytes: number) => ({ data: { body: 'x'.repeat(bytes) } });
      const units = [ofBytes(900), ofBytes(1_100)].map(async (attributes, index) => {
        const [used] = (await consume([putOrder(`order-${index}`, attributes)])) ?? [];
        return used?.CapacityUnits;
      });
      return Promise.all(units);
    },
    expected: [2, 4],
  },
];
