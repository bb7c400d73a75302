import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { meterClient } from '../../fixtures/capacity-meter.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { createClickIds } from '../../lib/clicks/click-id.ts';
import { makeClickBody } from '../tools/click-body.ts';

export type Aggregator = Awaited<ReturnType<typeof createAggregator>>;

/** What a click has besides the usual, and its code if it isn't the batch's. */
export type Changes = Readonly<Record<string, string | number>>;

export interface Price {
  name: string;
  /** Of each click, like its units. */
  requests: number;
  writeUnits: number;
  readUnits: number;
}

/** A line of a table: a price, or those of several batches. */
export interface Row {
  name: string;
  prices: Price[];
}

export const toRow = (price: Price): Row => ({ name: price.name, prices: [price] });

// One environment of resolve-link has minted all ids, so the clicks of a batch share few sheets.
const place = createClickIds();

/** An environment of the aggregator, and what its clicks cost. */
export async function createAggregator(client: DynamoDBClient) {
  const { createHandler } = await import('../../functions/aggregate-clicks.ts');
  const meter = meterClient(client);
  const handler = createHandler(client);
  return {
    client,
    /** Delivers a batch, and returns what each of its clicks cost. */
    async price(name: string, batchCode: string, clicks: Changes[]): Promise<Price> {
      const before = { ...meter };
      const bodies = clicks.map((changes) => {
        const code = String(changes.code ?? batchCode);
        const { detail, ...event } = JSON.parse(makeClickBody(0, code, place(code).clickId));
        return JSON.stringify({ ...event, detail: { ...detail, ...changes } });
      });
      const { batchItemFailures } = await handler(makeBatch(bodies), makeContext(60_000));
      if (batchItemFailures.length > 0) throw new Error('expected each click to be counted');
      return {
        name,
        writeUnits: (meter.writeUnits - before.writeUnits) / bodies.length,
        readUnits: (meter.readUnits - before.readUnits) / bodies.length,
        requests: (meter.requests - before.requests) / bodies.length,
      };
    },
  };
}
