import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../local/engines/aws.ts';
import { receiveAll } from '../../local/engines/queue.ts';
import type { StackOutputs } from '../../terminal/stack-file.ts';
import type { SentTraffic } from './traffic.ts';

interface StoredCounts {
  /** Each link's total, and the sum of its days. */
  links: Map<string, { clicks: number; days: number }>;
  /** The link for which each click id was counted. */
  counted: Map<string, string>;
}

export interface AuditResult {
  counted: number;
  deadLetters: number;
  violations: string[];
}

/** Compares the traffic with the table and the dead-letter queue. */
export async function audit(stack: StackOutputs, sent: SentTraffic): Promise<AuditResult> {
  const stored = await readStored(stack);
  const deadLetters = await readDeadLetters(stack);
  const violations = [
    ...checkSums(stored),
    ...checkClicks(stored, sent, deadLetters),
    ...checkVisits(stored, sent),
    ...checkPoison(sent, deadLetters),
  ];
  return { counted: stored.counted.size, deadLetters: deadLetters.size, violations };
}

function checkSums({ links, counted }: StoredCounts): string[] {
  const marked = Map.groupBy(counted.values(), (code) => code);
  return [...links].flatMap(([code, { clicks, days }]) => {
    const markers = marked.get(code)?.length ?? 0;
    if (clicks === days && clicks === markers) return [];
    return `${code} has ${clicks} clicks, ${days} clicks in its days, and ${markers} markers`;
  });
}

function checkClicks(
  { counted }: StoredCounts,
  { clicks }: SentTraffic,
  deadLetters: Set<string>,
): string[] {
  const bodies = [...deadLetters].join('\n');
  return [...clicks].flatMap(([id, code]) => {
    const countedFor = counted.get(id);
    if (countedFor === code || (countedFor === undefined && bodies.includes(id))) return [];
    return `${id} of ${code} was ${countedFor ? `counted for ${countedFor}` : 'lost'}`;
  });
}

function checkPoison({ poison }: SentTraffic, deadLetters: Set<string>): string[] {
  const missing = [...poison].filter((body) => !deadLetters.has(body));
  return missing.map((body) => `expected a dead letter; there is none: ${body}`);
}

// resolve-link has minted every click id that the traffic does not contain.
function checkVisits({ counted }: StoredCounts, { clicks, visits }: SentTraffic): string[] {
  const minted = [...counted].filter(([id]) => !clicks.has(id)).map(([, code]) => code);
  return [...visits].flatMap(([code, { requested, redirected }]) => {
    const count = minted.filter((other) => other === code).length;
    if (redirected <= count && count <= requested) return [];
    return `${code} was opened ${redirected} to ${requested} times, but ${count} visits were counted`;
  });
}

async function readStored({ dynamodbEndpoint, tableName }: StackOutputs): Promise<StoredCounts> {
  const client = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const stored: StoredCounts = { links: new Map(), counted: new Map() };
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const item of Items) readItem(item, stored);
  }
  client.destroy();
  return stored;
}

function readItem(item: Record<string, AttributeValue>, { links, counted }: StoredCounts): void {
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
  const hidden = { VisibilityTimeout: 600, WaitTimeSeconds: 1 };
  const letters = await Array.fromAsync(receiveAll({ sqs: client, url: clickDlqUrl }, hidden));
  client.destroy();
  return new Set(letters.flat().map(({ Body = '' }) => Body));
}
