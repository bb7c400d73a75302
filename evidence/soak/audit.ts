import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../local/engines/aws.ts';
import type { StackOutputs } from '../../local/stack/stack.ts';
import type { Sent } from './traffic.ts';

/** What is stored: the sums of each link, and which link each click id was counted for. */
interface Stored {
  links: Map<string, { clicks: number; days: number }>;
  counted: Map<string, string>;
}

export interface Verdict {
  counted: number;
  dead: number;
  problems: string[];
}

/** Compares what was sent with what is stored and what lies in the dead-letter queue. */
export async function audit(stack: StackOutputs, sent: Sent): Promise<Verdict> {
  const stored = await readStored(stack);
  const dead = await readDeadLetters(stack);
  const problems = [
    ...checkSums(stored),
    ...checkClicks(stored, sent, dead),
    ...checkVisits(stored, sent),
    ...[...sent.poison].filter((body) => !dead.has(body)).map((body) => `not dead: ${body}`),
  ];
  return { counted: stored.counted.size, dead: dead.size, problems };
}

function checkSums({ links, counted }: Stored): string[] {
  const marked = Map.groupBy(counted.values(), (code) => code);
  return [...links].flatMap(([code, { clicks, days }]) => {
    const markers = marked.get(code)?.length ?? 0;
    if (clicks === days && clicks === markers) return [];
    return `${code} has ${clicks} clicks, ${days} in its days, and ${markers} markers`;
  });
}

function checkClicks({ counted }: Stored, { clicks }: Sent, dead: Set<string>): string[] {
  const letters = [...dead].join('\n');
  return [...clicks].flatMap(([id, code]) => {
    const as = counted.get(id);
    if (as === code || (as === undefined && letters.includes(id))) return [];
    return `${id} of ${code} was ${as ? `counted for ${as}` : 'lost'}`;
  });
}

// The ids that nobody here sent are those that the resolver minted.
function checkVisits({ counted }: Stored, { clicks, visits }: Sent): string[] {
  const minted = [...counted].filter(([id]) => !clicks.has(id)).map(([, code]) => code);
  return [...visits].flatMap(([code, { asked, answered }]) => {
    const count = minted.filter((other) => other === code).length;
    if (answered <= count && count <= asked) return [];
    return `${code} was opened ${answered} to ${asked} times, but ${count} visits were counted`;
  });
}

async function readStored({ dynamodbEndpoint, tableName }: StackOutputs): Promise<Stored> {
  const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const stored: Stored = { links: new Map(), counted: new Map() };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const item of Items) readItem(item, stored);
  }
  client.destroy();
  return stored;
}

function readItem(item: Record<string, AttributeValue>, { links, counted }: Stored): void {
  const [kind = '', ...rest] = item.PK?.S?.split('#') ?? [];
  const name = rest.join('#');
  if (kind === 'CLICK') {
    counted.set(name, item.code?.S ?? '');
    return;
  }
  const link = links.get(name) ?? { clicks: 0, days: 0 };
  links.set(name, link);
  if (item.SK?.S === 'META') link.clicks = Number(item.clicks?.N);
  else link.days += Number(item.count?.N);
}

async function readDeadLetters({ sqsEndpoint, clickDlqUrl }: StackOutputs): Promise<Set<string>> {
  const client = new SQSClient(localClientConfig(sqsEndpoint));
  const bodies = new Set<string>();
  const receive = new ReceiveMessageCommand({
    QueueUrl: clickDlqUrl,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 600,
    WaitTimeSeconds: 1,
  });
  for (;;) {
    const { Messages = [] } = await client.send(receive);
    if (Messages.length === 0) break;
    for (const { Body = '' } of Messages) bodies.add(Body);
  }
  client.destroy();
  return bodies;
}
