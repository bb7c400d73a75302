import type { Observed } from './observed.ts';

/** The transactions of an engine so far. */
export type EngineTotals = Pick<Observed, 'transactions' | 'writeUnits' | 'conflicts'>;

/** What an engine answered. */
export interface EngineAnswer {
  status: number;
  body: object;
}

interface TransactionAnswer {
  ConsumedCapacity?: { CapacityUnits?: number; WriteCapacityUnits?: number }[];
  CancellationReasons?: { Code?: string }[];
}

/** Adds up what an engine says about transactions. */
export class TransactionMeter {
  readonly totals: EngineTotals = { transactions: 0, writeUnits: 0, conflicts: 0 };
  readonly #committed = new Set<string>();

  /**
   * Counts the answer to a request to TransactWriteItems. On a slow machine, the aggregator may
   * not wait for an answer and send the transaction again: it is committed once, and counts once.
   */
  add(request: string, { status, body }: EngineAnswer): void {
    const { ClientRequestToken: token } = JSON.parse(request) as { ClientRequestToken: string };
    const { ConsumedCapacity = [], CancellationReasons = [] } = body as TransactionAnswer;
    if (this.#committed.has(token)) return;
    if (status !== 200) {
      const isConflict = CancellationReasons.some(({ Code }) => Code === 'TransactionConflict');
      this.totals.conflicts += isConflict ? 1 : 0;
      return;
    }
    this.#committed.add(token);
    this.totals.transactions += 1;
    for (const { WriteCapacityUnits, CapacityUnits = 0 } of ConsumedCapacity) {
      this.totals.writeUnits += WriteCapacityUnits ?? CapacityUnits;
    }
  }
}
