import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ChangeMessageVisibilityCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { countMessages, readAttributes, receiveAll, sendMessages } from '../cli/queue.ts';
import { CommandError } from '../cli/terminal/command-error.ts';
import type { CreateLinkAnswer, GetLinkStatsAnswer } from '../lib/links/answer-schemas.ts';

interface ServiceAccess {
  api: string;
  token: string;
  dynamodb: DynamoDBClient;
  sqs: SQSClient;
  tableName: string;
  clickQueueUrl: string;
  clickDlqUrl: string;
  /** Sends the requests to the API. Tests may replace it to check them. */
  fetch?: typeof fetch;
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

const linkUrl = 'https://example.com/';
// Long enough to hide each dead letter until all have been read.
const hideSeconds = 60;
const maxLetters = 5_000;

/** Uses a running stack, local or on AWS, as its users and operators do. */
export function createServiceClient(access: ServiceAccess) {
  return { ...createApi(access), ...createQueueAccess(access), readItem: createReader(access) };
}

function createApi({ api, token, fetch: send = fetch }: ServiceAccess) {
  const headers = { authorization: `Bearer ${token}` };
  /** Creates a link and returns its code, which the service chooses unless one is given. */
  const createLink = async (code?: string): Promise<string> => {
    const body = JSON.stringify({ url: linkUrl, code });
    const response = await send(`${api}/links`, { method: 'POST', headers, body });
    return (await readAnswer<CreateLinkAnswer>(response, 201)).code;
  };
  const readStats = async (code: string): Promise<GetLinkStatsAnswer> =>
    readAnswer(await send(`${api}/links/${code}/stats`, { headers }), 200);
  /** Opens a link as a visitor does, and returns the status and the redirect's target. */
  const openLink = async (code: string) => {
    const response = await send(`${api}/${code}`, { redirect: 'manual' });
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
  const clickQueue = { sqs, url: clickQueueUrl };
  const send = (...bodies: string[]) => sendMessages(clickQueue, bodies);
  /** Returns ClickQueue's approximate number of messages, including those in flight. */
  const countWaiting = async () => {
    const { visible, hidden } = await countMessages(clickQueue);
    return visible + hidden;
  };
  /** Reads the number of attempts that a message gets, and the visibility timeout. */
  const readRetries = async () => {
    const { RedrivePolicy = '{}', VisibilityTimeout } = await readAttributes(clickQueue);
    const maxReceiveCount = Number(JSON.parse(RedrivePolicy).maxReceiveCount);
    return { maxReceiveCount, visibilityTimeoutMs: Number(VisibilityTimeout) * 1000 };
  };
  /** Reads the bodies of the dead letters, and leaves them in the queue. */
  const readDeadLetters = async (): Promise<string[]> => {
    const hidden = { VisibilityTimeout: hideSeconds, WaitTimeSeconds: 1 };
    const seen: Message[] = [];
    try {
      for await (const letters of receiveAll({ sqs, url: clickDlqUrl }, hidden)) {
        seen.push(...letters);
        if (seen.length >= maxLetters) break;
      }
      return seen.map(({ Body = '' }) => Body);
    } finally {
      await Promise.all(seen.map(showAgain));
    }
  };
  const showAgain = ({ ReceiptHandle }: Message) => {
    const input = { QueueUrl: clickDlqUrl, ReceiptHandle, VisibilityTimeout: 0 };
    return sqs.send(new ChangeMessageVisibilityCommand(input));
  };
  return { send, countWaiting, readRetries, readDeadLetters };
}

function createReader({ dynamodb, tableName }: ServiceAccess) {
  const database = DynamoDBDocumentClient.from(dynamodb);
  return async (PK: string, SK: string) => {
    const command = new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true });
    return (await database.send(command)).Item;
  };
}
