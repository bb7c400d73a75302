import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type DeadLetter, walkDeadLetters } from '../cli/dlq/dead-letters.ts';
import { countMessages, readAttributes, sendMessages } from '../cli/queue.ts';
import { CommandError } from '../cli/terminal/command-error.ts';
import { getItem } from '../lib/dynamodb/requests.ts';
import type { CreateLinkAnswer, GetLinkStatsAnswer } from '../lib/links/api/answer-schemas.ts';

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

export const linkUrl = 'https://example.com/';

/** Uses a running stack, local or on AWS, as its users and operators do. */
export function createServiceClient(access: ServiceAccess) {
  const { dynamodb, tableName } = access;
  const table = { client: DynamoDBDocumentClient.from(dynamodb), tableName };
  const readItem = (PK: string, SK: string) => getItem<Record<string, unknown>>(table, { PK, SK });
  return { ...createApi(access), ...createQueueAccess(access), readItem };
}

function createApi({ api, token, fetch: send = fetch }: ServiceAccess) {
  const headers = { authorization: `Bearer ${token}` };
  /** Creates a link and returns its code, which the service chooses unless one is given. */
  const createLink = async (code?: string): Promise<string> => {
    const body = JSON.stringify({ url: linkUrl, code });
    const response = await send(`${api}/links`, { method: 'POST', headers, body });
    return (await readAnswer<CreateLinkAnswer>(response, 201)).code;
  };
  const disableLink = async (code: string): Promise<void> => {
    const body = JSON.stringify({ disabled: true });
    const response = await send(`${api}/links/${code}`, { method: 'PATCH', headers, body });
    await readAnswer(response, 200);
  };
  const readStats = async (code: string): Promise<GetLinkStatsAnswer> =>
    readAnswer(await send(`${api}/links/${code}/stats`, { headers }), 200);
  /** Opens a link as a visitor does, and returns the status and the redirect's target. */
  const openLink = async (code: string) => {
    const response = await send(`${api}/${code}`, { redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') };
  };
  return { createLink, disableLink, readStats, openLink };
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
    const bodies: string[] = [];
    const read = async ({ body }: DeadLetter) => {
      bodies.push(body);
      return 'stays' as const;
    };
    const { signal } = new AbortController();
    await walkDeadLetters({ sqs, url: clickDlqUrl }, read, { signal });
    return bodies;
  };
  return { send, countWaiting, readRetries, readDeadLetters };
}
