import {
  TransactionCanceledException,
  type TransactWriteItemsInput,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { CommitQueue } from '../../src/commit-queue.ts';
import type { Outcome } from '../../src/entry.ts';
import { makeEntry } from '../helpers/entries.ts';
import { type Answer, accepted, failing, hanging, scriptClient } from './scripted-dynamodb.ts';

type Fault = 'none' | 'conflict' | 'throttled' | 'lost' | 'lost late' | 'hangs';

/** A table that commits each transaction once, and has faults in turn. */
class FaultyTable {
  /** How often each payload of each marker was committed. */
  readonly committed: string[] = [];
  readonly #markers = new Set<string>();
  readonly #tokens = new Set<string | undefined>();
  readonly #faults: Fault[];

  constructor(faults: Fault[]) {
    this.#faults = [...faults];
  }

  readonly answer: Answer = async (input, signal) => {
    const fault = this.#faults.shift() ?? 'none';
    await new Promise((resolve) => setTimeout(resolve, 25));
    if (fault === 'hangs') return hanging(input, signal);
    if (fault === 'lost') return failing('ECONNRESET')(input, signal);
    if (fault === 'throttled') return failing('ThrottlingException', 400)(input, signal);
    const isKnown = this.#tokens.has(input.ClientRequestToken);
    if (!isKnown) this.#commit(input, fault === 'conflict');
    return fault === 'lost late' ? failing('ECONNRESET')(input, signal) : accepted;
  };

  #commit(
    { TransactItems = [], ClientRequestToken }: TransactWriteItemsInput,
    hasConflict: boolean,
  ) {
    const reasons = TransactItems.map(({ Put, Update }) => {
      const key = Put?.Item?.PK?.S ?? '';
      if (this.#markers.has(key)) {
        return { Code: 'ConditionalCheckFailed', Item: { ...Put?.Item } };
      }
      const isContended = hasConflict && Update?.Key?.PK?.S === 'a';
      return { Code: isContended ? 'TransactionConflict' : 'None' };
    });
    if (reasons.some(({ Code }) => Code !== 'None')) {
      const options = { message: '', $metadata: {}, CancellationReasons: reasons };
      throw new TransactionCanceledException(options);
    }
    this.#tokens.add(ClientRequestToken);
    for (const { Put } of TransactItems) {
      const key = Put?.Item?.PK?.S;
      if (key === undefined) continue;
      this.#markers.add(key);
      this.committed.push(key);
    }
  }
}

interface Delivery {
  id: number;
  account: string;
  afterMs: number;
  promises: number;
}

const delivery = fc.record<Delivery>({
  id: fc.integer({ min: 0, max: 60 }),
  account: fc.constantFrom('a', 'b', 'c'),
  afterMs: fc.integer({ min: 0, max: 120 }),
  promises: fc.integer({ min: 0, max: 80 }),
});
const fault = fc.constantFrom<Fault>('none', 'conflict', 'throttled', 'lost', 'lost late', 'hangs');

afterEach(() => {
  vi.useRealTimers();
});

test('each key is committed exactly once and each delivery gets its own outcome, whatever handlers await and whatever fails', async () => {
  vi.useFakeTimers();
  const property = async (deliveries: Delivery[], faults: Fault[]) => {
    const table = new FaultyTable(faults);
    const { client } = scriptClient(Array(10_000).fill(table.answer));
    let tokens = 0;
    const newToken = () => `token-${tokens++}`;
    const queue = new CommitQueue({ client, random: Math.random, newToken });
    const deliver = async ({ id, account, afterMs, promises }: Delivery) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      for (let jobs = promises; jobs > 0; jobs -= 1) await undefined;
      return queue.commit(makeEntry(`${id}`, account));
    };

    const delivering = Promise.all(deliveries.map(deliver));
    await vi.runAllTimersAsync();
    const outcomes = await delivering;

    const keys = new Set(deliveries.map(({ id }) => `ORDER#${id}`));
    expect(table.committed.toSorted()).toEqual([...keys].toSorted());
    const kinds = outcomes.map((outcome: Outcome) => ('kind' in outcome ? outcome.kind : outcome));
    expect(new Set(kinds).difference(new Set(['committed', 'duplicate']))).toEqual(new Set());
    const firsts = deliveries.filter((_, index) => kinds[index] === 'committed');
    expect(firsts.map(({ id }) => `ORDER#${id}`).toSorted()).toEqual([...keys].toSorted());
    expect(vi.getTimerCount()).toBe(0);
  };

  await fc.assert(
    fc.asyncProperty(
      fc.array(delivery, { maxLength: 120 }),
      fc.array(fault, { maxLength: 25 }),
      property,
    ),
    { numRuns: 200 },
  );
});
