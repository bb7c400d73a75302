import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { numberOf, textOf } from '../simulation/dynamodb/item-store.ts';
import { type DeadLetter, nowMs, Stage, type TableAddress } from './stage.ts';

/** What a stage of a release stores and sends. */
export interface Forms {
  /** The table's items, in DynamoDB's wire format. */
  items: Item[];
  /** Messages whose clicks are counted. SQS may deliver them again. */
  counted: string[];
  /** Messages in ClickQueue, which nobody has received yet. */
  waiting: string[];
  deadLetters: DeadLetter[];
  /** An API key, and a cursor that the page or a program continues with. */
  apiKey: string;
  cursor: string;
  /** Each link's clicks, and those after all waiting messages, by hand. */
  clicks: Record<string, { counted: number; afterWaiting: number }>;
}

const seed = 1;
const at = new Date(nowMs - 60_000).toISOString();

const toMessage = (detail: object): string =>
  JSON.stringify({
    version: '0',
    id: 'of-a-producer',
    'detail-type': 'link.clicked',
    source: 'click-tally',
    detail,
  });

const ofProducer = (clickId: string, code: string) =>
  toMessage({ clickId, code, at, utm_source: 'newsletter' });

/** An envelope, of which the last click can't count. */
const envelopeOf = (...names: string[]) =>
  toMessage({
    clicks: [
      ...names.map((name) => ({ clickId: name, code: 'spring', at, visitor: 'human' })),
      { clickId: `${names[0]}-astray`, code: 'unknown', at },
    ],
  });

/** The clicks of links, by code. */
export async function readClicks(
  table: TableAddress,
  codes: string[],
): Promise<Record<string, number>> {
  const links = (await readItems(table)).filter((item) => textOf(item, 'SK') === 'META');
  const clicks = links.map((link) => [
    textOf(link, 'PK').slice('LINK#'.length),
    numberOf(link, 'clicks'),
  ]);
  const byCode = Object.fromEntries(clicks);
  return Object.fromEntries(codes.map((code) => [code, byCode[code]]));
}

/**
 * Runs a stage through the life of a few links. Each kind of item, event and message is in the result,
 * which depends only on the code of `functions`.
 */
export async function makeForms(
  functions: ConstructorParameters<typeof Stage>[0],
  table: TableAddress,
): Promise<Forms> {
  const stage = new Stage(functions, table, seed);
  const { apiKey, cursor } = await createLinks(stage);
  await stage.visit('spring', 'utm_source=poster&utm_medium=print&utm_campaign=may');
  await stage.visit('spring', 'utm_source=poster');
  await stage.visit('autumn');
  const visits = stage.published.splice(0);
  const counted = [...visits, ofProducer('one', 'spring'), envelopeOf('two', 'three')];
  const returned = await stage.count(counted);
  if (returned > 0) throw new Error(`expected all messages to be counted; ${returned} came back`);
  await stage.visit('spring', 'utm_source=radio');
  await stage.visit('autumn');
  const waiting = [...stage.published, ofProducer('four', 'autumn'), envelopeOf('five')];
  const { deadLetters } = stage;
  return {
    items: await readItems(table),
    counted,
    waiting,
    deadLetters,
    apiKey,
    cursor,
    clicks: {
      spring: { counted: 5, afterWaiting: 7 },
      autumn: { counted: 1, afterWaiting: 3 },
    },
  };
}

async function createLinks(stage: Stage) {
  const fields = { title: 'Spring sale', tags: ['sale'], note: 'Poster', forwardQuery: true };
  const url = 'https://example.com/';
  await stage.request('POST /links', { body: { url, code: 'spring', ...fields } });
  await stage.request('POST /links', {
    body: { url, code: 'autumn', expiresAt: '2050-12-31T00:00:00Z' },
  });
  await stage.request('POST /links', { body: { url, code: 'winter', disabled: true } });
  await stage.request('POST /links', { body: { url, code: 'gone' } });
  await stage.request('DELETE /links/{code}', { code: 'gone' });
  const links = [{ key: '0123456789abcdef0123456789abcdef', url, code: 'imported' }];
  await stage.request('POST /links/import', { body: { links } });
  const newKey = { name: 'backup', scope: 'read', expiresInDays: 90 };
  const { key: apiKey } = await stage.request('POST /api/keys', { body: newKey });
  const { cursor } = await stage.request('GET /links', { query: { limit: '1' } });
  return { apiKey, cursor };
}

export async function readItems({ endpoint, tableName }: TableAddress): Promise<Item[]> {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName }));
  client.destroy();
  const keyOf = ({ PK, SK }: Item) => JSON.stringify([PK, SK]);
  return Items.map(toWire).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Bytes as base64, and sets in order. */
function toWire(item: object): Item {
  const wire = Object.entries(item).map(([name, value]) => {
    if (value.B) return [name, { B: Buffer.from(value.B).toString('base64') }];
    if (value.SS) return [name, { SS: value.SS.toSorted() }];
    return [name, value];
  });
  return Object.fromEntries(wire.sort(([a], [b]) => (a < b ? -1 : 1)));
}
