import { createHash } from 'node:crypto';
import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../cli/local-aws.ts';
import { receiveAll } from '../../cli/queue.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { valueOfAttribute } from '../simulation/clicks/breakdowns.ts';
import type { SentTraffic } from './traffic.ts';

type Item = Record<string, AttributeValue>;

/** The bytes of a hash in a slot. */
const slotBytes = 4;
/** The breakdowns by the first letter of their attributes. */
const breakdowns = new Map(
  [...valueOfAttribute].map(([attribute, { breakdown }]) => [attribute.charAt(0), breakdown]),
);
const notValues = new Set(['PK', 'SK', 'count']);

interface StoredCounts {
  /** Each link's total, and the sum of its days. */
  links: Map<string, { clicks: number; days: number }>;
  /** Each counted click's link, by id or by place on a page. */
  counted: Map<string, string>;
  /** Breakdowns that don't sum to their day's count. */
  uneven: string[];
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
    ...stored.uneven,
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

// All click ids that the traffic does not contain are resolve-link's.
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
  const stored: StoredCounts = { links: new Map(), counted: new Map(), uneven: [] };
  const codes = new Map<string, string>();
  const pages: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const item of Items) {
      if (item.PK?.S?.startsWith('CLICKS#')) pages.push(item);
      else readItem(item, stored, codes);
    }
  }
  client.destroy();
  for (const page of pages) readPage(page, stored, codes);
  return stored;
}

function readItem(
  item: Item,
  { links, counted, uneven }: StoredCounts,
  codes: Map<string, string>,
): void {
  const [kind = '', ...rest] = item.PK?.S?.split('#') ?? [];
  const name = rest.join('#');
  if (kind === 'CLICK') {
    counted.set(name, item.code?.S ?? '');
    return;
  }
  if (kind !== 'LINK') return;
  const link = links.get(name) ?? { clicks: 0, days: 0 };
  links.set(name, link);
  const [sort, day] = item.SK?.S?.split('#') ?? [];
  if (sort === 'META') {
    link.clicks = Number(item.clicks?.N);
  } else {
    link.days += Number(item.count?.N);
    uneven.push(...checkBreakdowns(item).map((problem) => `${name} on ${day}: ${problem}`));
    const hash = createHash('md5').update(JSON.stringify([name, day]));
    codes.set(hash.digest('hex').slice(0, slotBytes * 2), name);
  }
}

function checkBreakdowns(day: Item): string[] {
  const values = Object.entries(day).filter(([attribute]) => !notValues.has(attribute));
  const sums = new Map([...breakdowns.values()].map((name) => [name, 0]));
  const problems: string[] = [];
  for (const [attribute, { N: amount }] of values) {
    const name = breakdowns.get(attribute.charAt(0));
    if (name) sums.set(name, (sums.get(name) ?? 0) + Number(amount));
    else problems.push(`the attribute ${attribute} is unknown`);
  }
  for (const [name, sum] of sums) {
    if (sum === Number(day.count?.N)) continue;
    problems.push(`its values of ${name} sum to ${sum}, its count is ${day.count?.N}`);
  }
  return problems;
}

// A page has no codes or days: a slot holds the start of a hash of both.
function readPage(page: Item, { counted }: StoredCounts, codes: Map<string, string>): void {
  for (const [attribute, { B: value }] of Object.entries(page)) {
    if (!value) continue;
    const code = codes.get(Buffer.from(value).toString('hex')) ?? 'no link of this table';
    counted.set(`${page.PK?.S} ${attribute}`, code);
  }
}

async function readDeadLetters({ sqsEndpoint, clickDlqUrl }: StackOutputs): Promise<Set<string>> {
  const client = new SQSClient(localClientConfig(sqsEndpoint));
  const hidden = { VisibilityTimeout: 600, WaitTimeSeconds: 1 };
  const letters = await Array.fromAsync(receiveAll({ sqs: client, url: clickDlqUrl }, hidden));
  client.destroy();
  return new Set(letters.flat().map(({ Body = '' }) => Body));
}
