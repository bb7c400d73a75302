import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { createCommitClient, type Effects } from 'powertools-idempotency-transactional';
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

const bookOrder = ({ customer, cents }: Order): Effects => ({
  increments: [{ key: { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' }, attribute: 'cents', by: cents }],
});

/** One layer, one config and one client, as in a module that many invocations share. */
function makeModule() {
  const client = createCommitClient();
  const config = makeConfig({ responseHook: () => 'duplicate' });
  const { persistenceStore } = makeLayer(bookOrder, config, { client });
  const book = async (order: Order, ..._context: Context[]) => {
    persistenceStore.receiptOf(order);
    return 'booked';
  };
  const bookOnce = makeIdempotent(book, { persistenceStore, keyPrefix: 'ORDER', config });
  return { client, config, bookOnce };
}

/** How a booking ended: what it returned, or the name of the error. */
function endOf(booking: Promise<string>): Promise<string> {
  return booking.catch((error: Error) => (error.cause instanceof Error ? error.cause : error).name);
}

const readCents = async (customer: string) =>
  (await table.get(`CUSTOMER#${customer}`, 'TOTAL'))?.cents;

test('40 invocations in one process commit each order once, each until its own deadline', async () => {
  const { client, bookOnce } = makeModule();
  let isStuck = true;
  let requests = 0;
  injectFault(client, {
    before: (input) => {
      requests += 1;
      if (isStuck && conflictAt('CUSTOMER#stuck', input))
        return conflictAt('CUSTOMER#stuck', input);
      return requests % 5 === 0 ? serviceError('ThrottlingException', 400) : undefined;
    },
    after: () => (requests % 7 === 0 ? connectionLost() : undefined),
  });
  const patient = makeContext(patientMs);
  const invoke = async (order: Order, context: Context = makeContext(patientMs)) => {
    // Some invocations begin in the same tick, others while those are committing.
    for (let turns = requests % 3; turns > 0; turns -= 1) await new Promise(setImmediate);
    return endOf(bookOnce(order, context));
  };
  const orders = Array.from({ length: 8 }, (_, index) => index);
  const all = (make: (index: number) => Promise<string>) => Promise.all(orders.map(make));

  const hasty = (id: number) => ({ id: `hasty-${id}`, customer: 'stuck', cents: 100 });

  const ends = {
    joined: all((id) => invoke({ id: `joined-${id}`, customer: 'ann', cents: 10 ** id })),
    repeated: all(() => invoke({ id: 'repeated', customer: 'bob', cents: 7 })),
    late: all((id) => invoke({ id: `late-${id}`, customer: 'dan', cents: 1 }, makeContext(0))),
    hasty: all((id) => invoke(hasty(id), makeContext(1_000 + 100 * id))),
    patient: all((id) => invoke({ id: `patient-${id}`, customer: 'stuck', cents: 1 }, patient)),
  };

  expect(new Set(await ends.hasty)).toEqual(new Set(['CommitDeadlineError']));
  // A hasty invocation with a patient one's deadline would have waited for it.
  expect(patient.getRemainingTimeInMillis()).toBeGreaterThan(patientMs / 10);
  isStuck = false;

  const count = async (kind: keyof typeof ends) => Map.groupBy(await ends[kind], (end) => end);
  expect([...(await count('late')).keys()]).toEqual(['CommitDeadlineError']);
  expect((await count('repeated')).get('booked')?.length ?? 0).toBeLessThanOrEqual(1);
  // A commit whose answer was lost can be reported as a duplicate, but it's in the table once.
  for (const kind of ['joined', 'repeated', 'patient'] as const) {
    expect([kind, ...new Set(await ends[kind])].sort()).toEqual(
      expect.not.arrayContaining(['CommitDeadlineError', 'CommitRejectedError']),
    );
  }
  expect(await readCents('ann')).toBe(11_111_111);
  expect(await readCents('bob')).toBe(7);
  expect(await readCents('dan')).toBeUndefined();
  // Some hasty orders may have been committed after their deadline, with patient ones. A queue would
  // deliver all of them again.
  const again = await all((id) => invoke(hasty(id)));
  expect(again.every((end) => ['booked', 'duplicate'].includes(end))).toBe(true);
  expect(await readCents('stuck')).toBe(808);
});

test('without a context of its own, an invocation has the deadline of the one that registered last', async () => {
  const { config, bookOnce } = makeModule();
  const first = makeContext(patientMs);
  config.registerLambdaContext(first);
  // Another invocation begins meanwhile, and has no time left.
  config.registerLambdaContext(makeContext(0));

  const ends = [
    await endOf(bookOnce({ id: 'registered', customer: 'eve', cents: 1 })),
    await endOf(bookOnce({ id: 'passed', customer: 'eve', cents: 1 }, first)),
  ];

  expect(ends).toEqual(['CommitDeadlineError', 'booked']);
});
