import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { linkKey } from '../../lib/keys.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { createCellTable } from '../compare/cell-table.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import {
  type Aggregator,
  createAggregator,
  type Price,
  type Row,
  toRow,
} from './priced-aggregator.ts';
import { measureVisitors, visitedCodes } from './visitor-prices.ts';

type Campaign = Readonly<Record<string, string>>;

async function measurePrices({ write = false }: { write?: boolean }): Promise<void> {
  const { template, environment } = await loadPackagedService();
  const { endpoint, stop } = await startDynamoDb();
  await using _ = { [Symbol.asyncDispose]: stop };
  Object.assign(process.env, environment, { TABLE_NAME: 'prices' });
  const config = localClientConfig(endpoint);
  const codes = ['quiet', 'full', 'texts', ...visitedCodes];
  await createCellTable(createCommitClient(config), template, 'prices', codes);
  const { write: writeOut } = process.stdout;
  // The aggregator prints its metrics.
  process.stdout.write = () => true;
  const aggregate = () => createAggregator(createCommitClient(config));
  const measureAll = async () =>
    [
      (await measureCampaigns(aggregate)).map(toRow),
      await measureTexts(aggregate),
      await measureVisitors(aggregate),
    ] as const;
  const measured = await measureAll().finally(() => {
    process.stdout.write = writeOut;
  });
  const [ofCampaigns, ofTexts, ofVisitors] = measured;
  const parts = {
    campaigns: renderTable(columns, ofCampaigns),
    texts: renderTable(textColumns, ofTexts),
    visitors: renderTable(columns, ofVisitors),
  };
  print(`${Object.values(parts).join('\n\n')}\n`);
  if (write) await writeParts('costs-and-speed.md', 'prices -- --write', parts);
}

const column = (title: string, read: (price: Price) => number): Column<Row> => [
  title,
  ({ prices }) => prices.map((price) => format(read(price))).join(', '),
];

const columns: Column<Row>[] = [
  ['', ({ name }) => name, 'words'],
  column('write units', ({ writeUnits }) => writeUnits),
  column('read units', ({ readUnits }) => readUnits),
  column('requests', ({ requests }) => requests),
];

interface Texts {
  name: string;
  alone: Price;
  inBatch: Price;
}

const textColumns: Column<Texts>[] = [
  ['write units of a click on', ({ name }) => name, 'words'],
  ['alone', ({ alone }) => format(alone.writeUnits)],
  ['in a batch of 1,000', ({ inBatch }) => format(inBatch.writeUnits)],
];

const format = (number: number) => number.toFixed(2).replace(/\.?0+$/, '');

/** The longest values, other ones for each index. */
const campaignOf = (index: number): Campaign => ({
  utm_source: `source-${index}-`.padEnd(40, 'x'),
  utm_medium: `medium-${index}-`.padEnd(40, 'x'),
  utm_campaign: `campaign-${index}-`.padEnd(40, 'x'),
});
const honest: Campaign = { utm_source: 'news', utm_medium: 'email', utm_campaign: 'spring' };
const repeat = (campaign: Campaign, count: number) => Array.from({ length: count }, () => campaign);
const fresh = (count: number, start: number) =>
  Array.from({ length: count }, (_, index) => campaignOf(start + index));

/** Clicks with three parameters, on a day without other values, and on a day that strangers have filled. */
async function measureCampaigns(aggregate: () => Promise<Aggregator>): Promise<Price[]> {
  const warm = await aggregate();
  const prices = [
    await warm.price('without campaign', 'quiet', [{}]),
    await warm.price('quiet day: the first value', 'quiet', [honest]),
    await warm.price('quiet day: a known value', 'quiet', [honest]),
    await (await aggregate()).price('quiet day: a known value, new environment', 'quiet', [honest]),
    await warm.price(
      'quiet day: batch of 1,000 with a known value, each',
      'quiet',
      repeat(honest, 1_000),
    ),
  ];
  await warm.price('', 'full', [honest]);
  // Only the last one finds no room.
  for (const campaign of fresh(19, 0)) await warm.price('', 'full', [campaign]);
  prices.push(await warm.price('full day: the value that finds it full', 'full', fresh(1, 100)));
  prices.push(
    await warm.price('full day: a new value', 'full', fresh(1, 200)),
    await (await aggregate()).price(
      'full day: a new value, new environment',
      'full',
      fresh(1, 300),
    ),
    await warm.price('full day: batch of 1,000 new values, each', 'full', fresh(1_000, 1_000)),
  );
  return prices;
}

/** Clicks on a link whose owner has written texts of different lengths. */
async function measureTexts(aggregate: () => Promise<Aggregator>): Promise<Texts[]> {
  const { client, price } = await aggregate();
  const documents = DynamoDBDocumentClient.from(client);
  const prices: Texts[] = [];
  for (const [name, texts] of Object.entries(linkTexts)) {
    const names = Object.keys(texts);
    await documents.send(
      new UpdateCommand({
        TableName: 'prices',
        Key: linkKey('texts'),
        UpdateExpression: `SET ${names.map((text) => `#${text} = :${text}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((text) => [`#${text}`, text])),
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(texts).map(([text, value]) => [`:${text}`, value]),
        ),
      }),
    );
    prices.push({
      name,
      alone: await price('', 'texts', [{}]),
      inBatch: await price('', 'texts', repeat({}, 1_000)),
    });
  }
  return prices;
}

const text = (length: number, character = 'x') => character.repeat(length);
const tags = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'é'));

/** From an address alone to the longest texts that the API accepts. */
const linkTexts: Record<string, Record<string, unknown>> = {
  'an address of 100 characters': { url: text(100) },
  'an address of 500, a title of 60, three tags': {
    url: text(500),
    title: text(60),
    tags: tags(3, 10),
  },
  'the longest address': { url: text(2_048), title: '', tags: [] },
  'the longest texts of ASCII': {
    url: text(2_048),
    title: text(200),
    note: text(500),
    tags: tags(10, 50),
  },
  'the longest texts': {
    url: text(2_048),
    title: text(200, '漢'),
    note: text(500, '漢'),
    tags: tags(10, 50),
  },
};

const description = 'Measure what visitors and owners can add to the price of a click.';

await runProgram(
  createProgram('prices', description, 'proofs')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .action(measurePrices),
);
