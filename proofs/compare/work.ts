import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ClickEvent } from '../../lib/hand-rolled/read-click.ts';
import { dayKey, linkKey } from '../../lib/keys.ts';
import type { ApproachTools } from './approach.ts';
import type { Interception } from './intercept.ts';

type Work = ApproachTools['work'];

interface ChargeOptions extends Interception {
  url: string;
  withKey: boolean;
}

/** Returns the work that increments the link's total and the day's count. */
export function createCountWork(client: DynamoDBClient, TableName: string): Work {
  const ExpressionAttributeValues = marshall({ ':one': 1 });
  const increment = async (key: object, attribute: string) => {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(key),
        UpdateExpression: 'ADD #attribute :one',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues,
      }),
    );
  };
  return async ({ code, day }: ClickEvent) => {
    await increment(linkKey(code), 'clicks');
    await increment(dayKey(code, day), 'count');
  };
}

/** Returns the work that charges at the payment API, optionally with the approach's key. */
export function createChargeWork({ url, withKey, silentPort, faultInjector }: ChargeOptions): Work {
  const kind = { isWrite: true, isTransaction: false, isHot: true, begins: 1, ends: 1 };
  return async ({ clickId }, key) => {
    const charge = (target: string) =>
      fetch(target, {
        method: 'POST',
        headers: withKey ? { 'idempotency-key': key } : {},
        body: JSON.stringify({ clickId }),
      });
    const request = { ...kind, name: `charge ${clickId}`, isFirstAttempt: true };
    const response = await faultInjector().pass<Response>(request, {
      send: () => charge(url),
      sendToSilence: () => charge(`http://127.0.0.1:${silentPort}`),
      refuse: async () => new Response('Too Many Requests', { status: 429 }),
      breakConnection: ({ body }) => {
        void body?.cancel();
        return new TypeError('fetch failed');
      },
    });
    if (!response.ok)
      throw new Error(
        `Expected the payment API to accept the charge; it answered ${response.status}.`,
      );
  };
}
