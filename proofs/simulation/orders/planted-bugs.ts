// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import { bug, type PlantedBug } from '../function-code.ts';

const orders = 'packages/powertools-idempotency-transactional/examples/orders/orders.ts';
const bookOrders = 'packages/powertools-idempotency-transactional/examples/orders/book-orders.ts';
const createOrder = 'packages/powertools-idempotency-transactional/examples/orders/create-order.ts';
const transaction = 'packages/powertools-idempotency-transactional/src/transaction.ts';
const sequence = 'packages/powertools-idempotency-transactional/src/sequence.ts';
const cancellation = 'packages/powertools-idempotency-transactional/src/cancellation.ts';
const layer =
  'packages/powertools-idempotency-transactional/src/transactional-persistence-layer.ts';

const outboxPut =
  "      { Put: { Item: { PK: `OUTBOX#${order.id}`, SK: 'ORDER_BOOKED', ...order } } },\n";

/** Writes something more, by itself, after the commit. */
const writeLater = (client: string, item: string) =>
  `await ${client}.send(new TransactWriteItemsCommand({ TransactItems: [${item}] }));`;
const importCommand = "import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';\n";

/** Mistakes in the example, and in what the layer does for it and not for clicks. */
export const orderBugs: PlantedBug[] = [
  {
    name: 'the outbox item is written after the commit',
    edits: [
      { file: orders, find: outboxPut, replace: '' },
      {
        file: bookOrders,
        find: 'import { createBooking',
        replace: `${importCommand}import { createBooking`,
      },
      {
        file: bookOrders,
        find: 'const confirm = async (order: Order, _: Context) => booking.persistenceStore.receiptOf(order);',
        replace: `const confirm = async (order: Order, _: Context) => {
          ${writeLater('client', '{ Put: { TableName: process.env.TABLE_NAME, Item: { PK: { S: `OUTBOX#${order.id}` }, SK: { S: "ORDER_BOOKED" }, customer: { S: order.customer }, cents: { N: String(order.cents) } } } }')}
          return booking.persistenceStore.receiptOf(order);
        };`,
      },
    ],
  },
  bug(
    'an order replaces one that exists',
    orders,
    "const isNew = { ConditionExpression: 'attribute_not_exists(PK)' };",
    'const isNew = {};',
  ),
  bug(
    'a voucher can be redeemed twice',
    orders,
    "'attribute_exists(PK) AND attribute_not_exists(redeemedBy)'",
    "'attribute_exists(PK)'",
  ),
  bug(
    'a failed condition is taken for a duplicate',
    cancellation,
    'for (const entry of refused) settle(cancellation, entry, error);',
    "for (const entry of refused) settle(cancellation, entry, { kind: 'duplicate', payloadHash: entry.payloadHash });",
  ),
  bug(
    'a failed condition is believed while the marker is throttled',
    cancellation,
    'const refused = entries.filter((entry) => !unjudged.has(entry));',
    'const refused = entries;',
  ),
  bug(
    'a failed condition fails its neighbours',
    'packages/powertools-idempotency-transactional/src/verdict.ts',
    'if (outcomes.size > 0 ||',
    "if ([...outcomes.values()].some(({ name }) => name === 'ConditionFailedError')) return { kind: 'fail', error };\n  if (outcomes.size > 0 ||",
  ),
  {
    name: 'the own writes of two records on one item are merged',
    edits: [
      {
        file: sequence,
        find: 'if (entries.every(({ writes }) => writes.length === 0)) return [[entries]];',
        replace: 'if (entries) return [[entries]];',
      },
      {
        file: transaction,
        find: '  return entries.flatMap((entry) =>\n    entry.writes.map(',
        replace: `  const taken = new Set();
  const isFirst = ({ id }) => !taken.has(id) && taken.add(id);
  return entries.flatMap((entry) =>
    entry.writes.filter(isFirst).map(`,
      },
    ],
  },
  bug(
    'the order of arrival is reversed',
    sequence,
    'sequences.push([...waves.values()]);',
    'sequences.push([...waves.values()].reverse());',
  ),
  {
    name: 'the response is stored after the commit',
    edits: [
      {
        file: 'packages/powertools-idempotency-transactional/src/build-entry.ts',
        find: 'if (response !== undefined) Object.assign(',
        replace: 'if (Date.now() < 0) Object.assign(',
      },
      {
        file: layer,
        find: 'import DataLoader',
        replace: `${importCommand}import { marshall } from '@aws-sdk/util-dynamodb';\nimport DataLoader`,
      },
      {
        file: layer,
        find: 'if (record) this.processExistingRecord(record, record);',
        replace: `if (record) {
      const { client, tableName: TableName, markerKey } = this.#options;
      const Key = marshall(markerKey(record.idempotencyKey));
      const ExpressionAttributeValues = marshall({ ':data': record.responseData });
      ${writeLater('client', "{ Update: { TableName, Key, UpdateExpression: 'SET #data = :data', ExpressionAttributeNames: { '#data': this.#schema.dataAttr }, ExpressionAttributeValues } }")}
      this.processExistingRecord(record, record);
    }`,
      },
    ],
  },
  bug(
    'a repeated request is answered without its response',
    cancellation,
    '...(stored && { response: unmarshall({ stored }).stored }),',
    '',
  ),
  bug(
    'a changed order passes for a duplicate',
    orders,
    "[customer, cents, voucher, request || 'POST /orders']",
    'customer',
  ),
  bug(
    'the endpoint mints the id of the order',
    createOrder,
    'id: `${sub}.${key}`',
    'id: `${sub}.${crypto.randomUUID()}`',
  ),
  bug(
    'a marker forgets the time in the dead-letter queue',
    orders,
    'deadLetterRetentionSeconds: environment.DEAD_LETTER_RETENTION_SECONDS,',
    '',
  ),
  bug('an order that failed is taken for booked', bookOrders, 'throw error;', ''),
];
