import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

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
// While one look goes on, what it has seen is hidden.
const lookSeconds = 60;
const maxLooks = 500;

/** A running stack, here or on AWS, as its users and its operators use it. */
export function createServiceClient(access: ServiceAccess) {
  return { ...createApi(access), ...createQueueAccess(access), readItem: createReader(access) };
}

function createApi({ api, token }: ServiceAccess) {
  const headers = { authorization: `Bearer ${token}` };
  /** Makes a link, under a new code if none is given, and returns its code. */
  const createLink = async (code?: string): Promise<string> => {
    const body = JSON.stringify({ url: linkUrl, code });
    const response = await fetch(`${api}/links`, { method: 'POST', headers, body });
    return (await readAnswer<{ code: string }>(response, 201)).code;
  };
  const readStats = async (code: string): Promise<LinkStats> =>
    readAnswer(await fetch(`${api}/links/${code}/stats`, { headers }), 200);
  /** Opens a link as a visitor does; returns the status and where it leads. */
  const openLink = async (code: string) => {
    const response = await fetch(`${api}/${code}`, { redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') };
  };
  return { createLink, readStats, openLink };
}

async function readAnswer<T>(response: Response, expected: number): Promise<T> {
  const text = await response.text();
  if (response.status === expected) return JSON.parse(text);
  throw new Error(`Expected ${response.url} to answer ${expected}; got ${response.status} ${text}`);
}

function createQueueAccess({ sqs, clickQueueUrl, clickDlqUrl }: ServiceAccess) {
  const send = async (body: string): Promise<void> => {
    await sqs.send(new SendMessageCommand({ QueueUrl: clickQueueUrl, MessageBody: body }));
  };
  const readAttributes = async () => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: clickQueueUrl, AttributeNames: ['All'] }),
    );
    return Attributes;
  };
  /** About how many messages ClickQueue holds, those included that are being worked on. */
  const countWaiting = async () => {
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } =
      await readAttributes();
    return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
  };
  /** How often a message is tried, and for how long one try hides it. */
  const readRetries = async () => {
    const { RedrivePolicy = '{}', VisibilityTimeout } = await readAttributes();
    const maxReceiveCount = Number(JSON.parse(RedrivePolicy).maxReceiveCount);
    return { maxReceiveCount, visibilityTimeoutMs: Number(VisibilityTimeout) * 1000 };
  };
  /** Whether there is a dead letter with exactly this body; all stay where they are. */
  const hasDeadLetter = async (body: string): Promise<boolean> => {
    const seen: Message[] = [];
    try {
      for (let look = 1; look <= maxLooks; look += 1) {
        const letters = await receiveDeadLetters();
        seen.push(...letters);
        if (letters.some(({ Body }) => Body === body)) return true;
        if (letters.length === 0) return false;
      }
      return false;
    } finally {
      await Promise.all(seen.map(showAgain));
    }
  };
  const receiveDeadLetters = async (): Promise<Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: clickDlqUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: lookSeconds,
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
  return { send, countWaiting, readRetries, hasDeadLetter };
}

function createReader({ dynamodb, tableName }: ServiceAccess) {
  const database = DynamoDBDocumentClient.from(dynamodb);
  return async (PK: string, SK: string) => {
    const command = new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true });
    return (await database.send(command)).Item;
  };
}
