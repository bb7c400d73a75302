import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import {
  conflictAt,
  connectionLost,
  injectFault,
  serviceError,
} from '../../../../tests/helpers/faults.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';

const table = useTable();
const patientMs = 120_000;
const keyOf = (customer: string) => ({ PK: `CUSTOMER#${customer}`, SK: 'TOTAL' });
const readCents = async (customer: string) => (await table.get(keyOf(customer).PK, 'TOTAL'))?.cents;

test('40 invocations in one process commit each order once, each until its own deadline', async () => {
  // One layer, one config and one client, as in a module that many invocations share.
  const client = createCommitClient();
  const layer = makeLayer(
    ({ customer, cents }) => ({
      increments: [{ key: keyOf(customer), attribute: 'cents', by: cents }],
    }),
    makeConfig({ responseHook: () => 'duplicate' }),
    { client },
  );
  const confirm = async (order: Order, _context: Context) =>
    layer.persistenceStore.receiptOf(order) && 'booked';
  const book = makeIdempotent(confirm, { ...layer, keyPrefix: 'ORDER' });
  let isStuck = true;
  let requests = 0;
  injectFault(client, {
    before: (input) => {
      requests += 1;
      const conflict = isStuck ? conflictAt('CUSTOMER#stuck', input) : undefined;
      if (conflict) return conflict;
      return requests % 5 === 0 ? serviceError('ThrottlingException', 400) : undefined;
    },
    after: () => (requests % 7 === 0 ? connectionLost() : undefined),
  });
  /** Invokes the function for eight orders. Returns what it returned, or the names of its errors. */
  const invoke = (makeOrder: (index: number) => Order, contextOf: (index: number) => Context) =>
    Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        // Some invocations begin in the same tick, others while those are committing.
        for (let turns = requests % 3; turns > 0; turns -= 1) await new Promise(setImmediate);
        return book(makeOrder(index), contextOf(index)).catch(({ cause }) => cause.name);
      }),
    );
  const patient = makeContext(patientMs);
  const makeHasty = (id: number) => ({ id: `hasty-${id}`, customer: 'stuck', cents: 100 });

  const joined = invoke(
    (id) => ({ id: `j-${id}`, customer: 'ann', cents: 10 ** id }),
    () => patient,
  );
  const repeated = invoke(
    () => ({ id: 'repeated', customer: 'bob', cents: 7 }),
    () => patient,
  );
  const late = invoke(
    (id) => ({ id: `l-${id}`, customer: 'dan', cents: 1 }),
    () => makeContext(0),
  );
  const hasty = invoke(makeHasty, (id) => makeContext(1_000 + 100 * id));
  const stuck = invoke(
    (id) => ({ id: `s-${id}`, customer: 'stuck', cents: 1 }),
    () => patient,
  );

  expect(new Set(await hasty)).toEqual(new Set(['CommitDeadlineError']));
  // A hasty invocation with a patient one's deadline would have waited for it.
  expect(patient.getRemainingTimeInMillis()).toBeGreaterThan(patientMs / 10);
  isStuck = false;

  expect(new Set(await late)).toEqual(new Set(['CommitDeadlineError']));
  const isBooked = (end: string) => end === 'booked';
  expect((await repeated).filter(isBooked).length).toBeLessThanOrEqual(1);
  // A commit whose answer was lost can be reported as a duplicate, but it's in the table once.
  const ends = new Set([await joined, await repeated, await stuck].flat());
  expect(['booked', 'duplicate']).toEqual(expect.arrayContaining([...ends]));
  expect(await Promise.all(['ann', 'bob', 'dan'].map(readCents))).toEqual([
    11_111_111,
    7,
    undefined,
  ]);
  // Some hasty orders may have been committed after their deadline, with patient ones. A queue would
  // deliver all of them again.
  await invoke(makeHasty, () => patient);
  expect(await readCents('stuck')).toBe(808);
});
