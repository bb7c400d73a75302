import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeAll, beforeEach, vi } from 'vitest';
import { type ServerMessage, serverMessageSchema } from '../../lib/live/messages.ts';
import { startHttpServer } from '../../loopback/http-server.ts';
import type { Item } from './items.ts';

/** Starts a fake `@connections` for a test file, whose functions use it. It is reset before each test. */
export function useConnections() {
  const connections = {
    /** The delivered messages, checked against their schema. */
    sent: [] as { connectionId: string; message: ServerMessage }[],
    /** The connections that a function closed. */
    closed: [] as string[],
    /** The error status of a connection, by its id. */
    rejections: new Map<string, number>(),
    messagesTo: (connectionId: string) =>
      connections.sent.flatMap((push) => (push.connectionId === connectionId ? push.message : [])),
  };
  beforeAll(async () => {
    const { url, stop } = await startHttpServer(async ({ method, path, body }) => {
      const connectionId = decodeURIComponent(path.replace('/@connections/', ''));
      const status = connections.rejections.get(connectionId);
      if (status === undefined && method === 'POST') {
        const message = serverMessageSchema.parse(JSON.parse(body));
        connections.sent.push({ connectionId, message });
      }
      if (method === 'DELETE') connections.closed.push(connectionId);
      return { status: status ?? 200, body: {} };
    });
    vi.stubEnv('LIVE_ENDPOINT', url);
    return stop;
  });
  beforeEach(() => {
    Object.assign(connections, { sent: [], closed: [], rejections: new Map() });
  });
  return connections;
}

/** A stream record, in Lambda's form, of a written item. */
export function streamRecord(item: Item, sequence = 1): DynamoDBRecord {
  const { PK, SK } = item;
  return {
    eventID: `event-${sequence}`,
    eventName: 'MODIFY',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      Keys: image({ PK, SK }),
      NewImage: image(item),
      SequenceNumber: `${sequence}`,
      StreamViewType: 'NEW_IMAGE',
    },
  };
}

// Lambda's and the SDK's types differ only for binary values, which these items lack.
function image(item: Item) {
  return marshall(item) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
}
