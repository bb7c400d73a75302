import type { Context } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { conflictAt, injectFault } from '../../../../tests/helpers/faults.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, makeConfig } from '../helpers/layer.ts';
import { addToTotal, readTotal } from '../helpers/totals.ts';

const table = useTable();
const patientMs = 120_000;

test('32 invocations in one process commit each order once, each until its own deadline', async () => {
  // One layer, one config and one client, as in a module that many invocations share.
  const client = createCommitClient();
  const book = makeBook(
    ({ customer, cents }) => ({ ...addToTotal(customer, cents), response: 'booked' }),
    makeConfig({ responseHook: () => 'duplicate' }),
    { awsSdkV3Client: client },
  );
  let isStuck = true;
  injectFault(client, {
    before: (input) => (isStuck ? conflictAt('CUSTOMER#stuck', input) : undefined),
  });
  /** Invokes the function for eight orders. Returns what it returned, or the names of its errors. */
  const invoke = (customer: string, name: string, contextOf: (index: number) => Context) =>
    Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        // Some invocations begin in the same tick, others while those are committing.
        for (let ticks = index % 3; ticks > 0; ticks -= 1) await new Promise(setImmediate);
        const order = { id: `${name}-${index}`, customer, cents: 10 ** index };
        return book(order, contextOf(index)).catch(({ cause }) => cause.name);
      }),
    );
  const patient = makeContext(patientMs);

  const joined = invoke('ann', 'joined', () => patient);
  const late = invoke('dan', 'late', () => makeContext(0));
  const hasty = invoke('stuck', 'hasty', (index) => makeContext(1_000 + 100 * index));
  const stuck = invoke('stuck', 'patient', () => patient);

  expect(new Set(await hasty)).toEqual(new Set(['CommitDeadlineError']));
  // A hasty invocation with a patient one's deadline would have waited for it.
  expect(patient.getRemainingTimeInMillis()).toBeGreaterThan(patientMs / 10);
  isStuck = false;

  expect(new Set(await late)).toEqual(new Set(['CommitDeadlineError']));
  expect(new Set([...(await joined), ...(await stuck)])).toEqual(new Set(['booked']));
  expect(await readTotal(table, 'ann')).toBe(11_111_111);
  expect(await readTotal(table, 'dan')).toBe(0);
  // Some hasty orders may have been committed after their deadline, with patient ones. A queue would
  // deliver all of them again.
  await invoke('stuck', 'hasty', () => patient);
  expect(await readTotal(table, 'stuck')).toBe(2 * 11_111_111);
});
