import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ClickEvent } from '../../lib/hand-rolled/click-event.ts';
import { dayKey, linkKey } from '../../lib/keys.ts';
import type { ApproachTools } from './approach.ts';
import type { createTroublemaker } from './fault-injector.ts';

type Work = ApproachTools['work'];

/** Two plain increments, the link's sum and the day's count. */
export function createCountWork(client: DynamoDBClient, TableName: string): Work {
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  return async ({ code, day }: ClickEvent) => {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(linkKey(code)),
        UpdateExpression: 'ADD clicks :one',
        ExpressionAttributeValues,
      }),
    );
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(dayKey(code, day)),
        UpdateExpression: 'ADD #count :one',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues,
      }),
    );
  };
}

/** A charge by the payment API, where asked with the idempotency key of the approach. */
export function createChargeWork(options: {
  url: string;
  nowherePort: number;
  withKey: boolean;
  troublemaker: () => ReturnType<typeof createTroublemaker>;
}): Work {
  const kind = { isWrite: true, isTransaction: false, isHot: true, begins: 1, ends: 1 };
  return async ({ clickId }, key) => {
    const charge = (url: string) =>
      fetch(url, {
        method: 'POST',
        headers: options.withKey ? { 'idempotency-key': key } : {},
        body: JSON.stringify({ clickId }),
      });
    const request = { ...kind, name: `charge ${clickId}`, isFirstAttempt: true };
    const response = await options.troublemaker().pass<Response>(request, {
      send: () => charge(options.url),
      sendToNowhere: () => charge(`http://127.0.0.1:${options.nowherePort}`),
      refuse: async () => new Response('Too Many Requests', { status: 429 }),
      breakConnection: ({ body }) => {
        void body?.cancel();
        return new TypeError('fetch failed');
      },
    });
    if (!response.ok) throw new Error(`The payment API answered ${response.status}.`);
  };
}
