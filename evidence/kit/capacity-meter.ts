import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A client's requests, and the write units that the engine reported for them. */
export interface Meter {
  requests: number;
  writeUnits: number;
}

interface Capacity {
  CapacityUnits?: number;
  WriteCapacityUnits?: number;
}

const writes = /^(Put|Update|Delete|BatchWrite|TransactWrite)Item/;

/** Counts a client's requests and adds up the write capacity that the engine reports for them. */
export function meterClient(client: DynamoDBClient): Meter {
  const meter: Meter = { requests: 0, writeUnits: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isWrite = writes.test(context.commandName ?? '');
      if (isWrite) Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      meter.requests += 1;
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
      for (const { WriteCapacityUnits, CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
        if (isWrite) meter.writeUnits += WriteCapacityUnits ?? CapacityUnits;
      }
      return result;
    },
    { step: 'initialize', name: 'meter' },
  );
  return meter;
}
