import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { chunk } from '../../../cli/queue.ts';
import { linkKey } from '../../../lib/keys.ts';
import type { ClickMessage } from '../click-source.ts';

/** BatchWriteItem takes no more. */
const maxWrites = 25;

/** What a message says of its click. */
export interface Click {
  clickId: string;
  code: string;
}

/** The click of a message in the form of the bus. */
export function readClick({ body }: Pick<ClickMessage, 'body'>): Click {
  return JSON.parse(body).detail;
}

/** Creates the links of these messages, like those of the model. */
export async function createLinks(
  endpoint: string,
  tableName: string,
  messages: Iterable<ClickMessage>,
): Promise<void> {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const codes = new Set(Array.from(messages, (message) => readClick(message).code));
  try {
    for (const some of chunk([...codes], maxWrites)) {
      const writes = some.map((code) => ({
        PutRequest: {
          Item: marshall({ ...linkKey(code), url: 'https://example.com', clicks: 0 }),
        },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: writes } }));
    }
  } finally {
    client.destroy();
  }
}
