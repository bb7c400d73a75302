import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../terminal/command-error.ts';

export interface ServiceAccess {
  api: string;
  token: string;
  dynamodb: DynamoDBClient;
  sqs: SQSClient;
  tableName: string;
  clickQueueUrl: string;
  clickDlqUrl: string;
}

export interface LinkStats {
  code: string;
  url: string;
  clicks: number;
  days: { date: string; count: number }[];
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

const linkUrl = 'https://example.com/';
// One call to SQS sends or receives at most this many messages.
const sqsBatchSize = 10;
// Long enough to hide each dead letter until all have been read.
const hideSeconds = 60;
const maxReceives = 500;

/** Uses a running stack, local or on AWS, as its users and operators do. */
export function createServiceClient(access: ServiceAccess) {
  return { ...createApi(access), ...createQueueAccess(access), readItem: createReader(access) };
}

function createApi({ api, token }: ServiceAccess) {
  const headers = { authorization: `Bearer ${token}` };
  /** Creates a link and returns its code, which the service chooses unless one is given. */
  const createLink = async (code?: string): Promise<string> => {
    const body = JSON.stringify({ url: linkUrl, code });
    const response = await fetch(`${api}/links`, { method: 'POST', headers, body });
    return (await readAnswer<{ code: string }>(response, 201)).code;
  };
  const readStats = async (code: string): Promise<LinkStats> =>
    readAnswer(await fetch(`${api}/links/${code}/stats`, { headers }), 200);
  /** Opens a link as a visitor does, and returns the status and the redirect's target. */
  const openLink = async (code: string) => {
    const response = await fetch(`${api}/${code}`, { redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') };
  };
  return { createLink, readStats, openLink };
}

async function readAnswer<T>(response: Response, expected: number): Promise<T> {
  const text = await response.text();
  if (response.status === expected) return JSON.parse(text);
  throw new CommandError(
    `Expected ${response.url} to answer ${expected}; got ${response.status} ${text}`,
  );
}

function createQueueAccess({ sqs, clickQueueUrl, clickDlqUrl }: ServiceAccess) {
  /** Sends messages to ClickQueue. */
  const send = async (...bodies: string[]): Promise<void> => {
    for (let start = 0; start < bodies.length; start += sqsBatchSize) {
      const Entries = bodies
        .slice(start, start + sqsBatchSize)
        .map((MessageBody, index) => ({ Id: `${index}`, MessageBody }));
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: clickQueueUrl, Entries }));
    }
  };
  const readAttributes = async () => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: clickQueueUrl, AttributeNames: ['All'] }),
    );
    return Attributes;
  };
  /** Returns about how many messages ClickQueue holds, including those in flight. */
  const countWaiting = async () => {
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } =
      await readAttributes();
    return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
  };
  /** Reads how many attempts a message gets, and how long each attempt hides it. */
  const readRetries = async () => {
    const { RedrivePolicy = '{}', VisibilityTimeout } = await readAttributes();
    const maxReceiveCount = Number(JSON.parse(RedrivePolicy).maxReceiveCount);
    return { maxReceiveCount, visibilityTimeoutMs: Number(VisibilityTimeout) * 1000 };
  };
  /** Reads the bodies of the dead letters, and leaves them in the queue. */
  const readDeadLetters = async (): Promise<string[]> => {
    const seen: Message[] = [];
    try {
      for (let receives = 0; receives < maxReceives; receives += 1) {
        const letters = await receiveDeadLetters();
        if (letters.length === 0) break;
        seen.push(...letters);
      }
      return seen.map(({ Body = '' }) => Body);
    } finally {
      await Promise.all(seen.map(showAgain));
    }
  };
  const receiveDeadLetters = async (): Promise<Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: clickDlqUrl,
        MaxNumberOfMessages: sqsBatchSize,
        VisibilityTimeout: hideSeconds,
        WaitTimeSeconds: 1,
      }),
    );
    return Messages;
  };
  const showAgain = ({ ReceiptHandle }: Message) =>
    sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: clickDlqUrl,
        ReceiptHandle,
        VisibilityTimeout: 0,
      }),
    );
  return { send, countWaiting, readRetries, readDeadLetters };
}

function createReader({ dynamodb, tableName }: ServiceAccess) {
  const database = DynamoDBDocumentClient.from(dynamodb);
  return async (PK: string, SK: string) => {
    const command = new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true });
    return (await database.send(command)).Item;
  };
}
