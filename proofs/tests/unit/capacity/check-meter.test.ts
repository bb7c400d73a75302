import { beforeEach, expect, test } from 'vitest';
import { TransactionMeter } from '../../../capacity/check/transaction-meter.ts';

let meter: TransactionMeter;

beforeEach(() => {
  meter = new TransactionMeter();
});

const request = (ClientRequestToken: string) => JSON.stringify({ ClientRequestToken });
const committed = (units: number) => ({
  ...{ status: 200, body: { ConsumedCapacity: [{ CapacityUnits: units }] } },
});
const cancelled = (Code: string) => ({
  ...{ status: 400, body: { CancellationReasons: [{ Code: 'None' }, { Code }] } },
});

test('the units of transactions are added up', () => {
  meter.add(request('one'), committed(6));
  meter.add(request('other'), committed(4));

  expect(meter.totals).toEqual({ transactions: 2, writeUnits: 10, conflicts: 0 });
});

test('a transaction that is sent again counts once', () => {
  meter.add(request('one'), committed(6));
  meter.add(request('one'), committed(6));

  expect(meter.totals).toEqual({ transactions: 1, writeUnits: 6, conflicts: 0 });
});

test('a conflict is counted, and no other refusal', () => {
  meter.add(request('one'), cancelled('TransactionConflict'));
  meter.add(request('one'), cancelled('ConditionalCheckFailed'));
  meter.add(request('one'), committed(6));

  expect(meter.totals).toEqual({ transactions: 1, writeUnits: 6, conflicts: 1 });
});
