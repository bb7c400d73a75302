import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { listen } from '../../cli/loopback/http-server.ts';
import { type ServerMessage, serverMessageSchema } from '../../lib/live/messages.ts';
import type { Item } from './items.ts';

/** What API Gateway's `@connections` has been asked for, and how it answers. */
interface ScriptedConnections {
  url: string;
  /** Every message that was taken, checked against its schema. */
  sent: { connectionId: string; message: ServerMessage }[];
  /** Every connection that was to be closed. */
  closed: string[];
  /** The status with which messages to a connection are refused, by connection. */
  refusals: Map<string, number>;
  messagesTo(connectionId: string): ServerMessage[];
}

/** Starts a stand-in for `@connections` for the tests of a file; each test begins with an empty one. */
export function useConnections(): ScriptedConnections {
  const connections = {} as ScriptedConnections;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const server = createServer(async (request, response) => {
      const [, id = ''] = /^\/@connections\/(.+)$/.exec(request.url ?? '') ?? [];
      const connectionId = decodeURIComponent(id);
      const body = await text(request);
      const status = connections.refusals.get(connectionId);
      if (status === undefined && request.method === 'POST') {
        const message = serverMessageSchema.parse(JSON.parse(body));
        connections.sent.push({ connectionId, message });
      }
      if (request.method === 'DELETE') connections.closed.push(connectionId);
      response.writeHead(status ?? 200).end();
    });
    const listening = await listen(server);
    stop = listening.stop;
    connections.url = listening.url;
  });
  beforeEach(() => {
    Object.assign(connections, { sent: [], closed: [], refusals: new Map() });
  });
  afterAll(() => stop?.());
  connections.messagesTo = (connectionId) =>
    connections.sent.flatMap((push) => (push.connectionId === connectionId ? [push.message] : []));
  return connections;
}

/** A record of the table's stream, as Lambda passes it, for an item that was written. */
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

// Lambda's types and those of the SDK differ only for binary values, which these items lack.
function image(item: Item) {
  return marshall(item) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
}
