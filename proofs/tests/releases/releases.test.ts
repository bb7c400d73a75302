import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { Recount } from '../../../cli/verify/recount.ts';
import { toScannedCounts } from '../../../cli/verify/scanned-counts.ts';
import { chunk } from '../../../lib/chunk.ts';
import { projectDir } from '../../../local/engines/serverless.ts';
import { startTable, type TestTable } from '../../../tests/helpers/test-table.ts';
import { openStage } from '../../../tests/infrastructure/stage-template.ts';
import { makeForms, readClicks } from '../../releases/forms.ts';
import {
  type Release,
  readReleases,
  readVersion,
  type StageResources,
  writeRelease,
} from '../../releases/release.ts';
import { Stage } from '../../releases/stage.ts';
import { textOf } from '../../simulation/dynamodb/item-store.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';

const presentFunctions = await buildFunctionCode();
const version = await readVersion();
const stages = ['dev', 'staging', 'prod'] as const;
const dataTypes = ['DynamoDB::Table', 'SQS::Queue', 'Cognito::UserPool', 'Backup::BackupVault'];

// The functions' tokens are always the same, and DynamoDB answers a request whose token it knows without
// doing it again. So each test has its own table.
let table: TestTable;
beforeEach(async () => {
  table = await startTable();
  return table.stop;
});

async function describeResources(stage: (typeof stages)[number]): Promise<StageResources> {
  const { idsOf, roles } = await openStage(stage);
  const data = dataTypes.flatMap((type) => idsOf(type).map((id) => [id, `AWS::${type}`]));
  return { data: Object.fromEntries(data), roles: stage === 'prod' ? roles : {} };
}

const presentResources = Object.fromEntries(
  await Promise.all(stages.map(async (stage) => [stage, await describeResources(stage)] as const)),
);

const { FREEZE } = process.env;

if (FREEZE) {
  test(`writes what ${version} stores and sends`, async () => {
    const forms = await makeForms(presentFunctions, table);
    await writeRelease({
      version,
      functions: presentFunctions,
      forms,
      resources: presentResources,
    });
  });
}

// The engine knows the tokens of the forms that were just written.
const releases = FREEZE ? [] : await readReleases();
const newest = releases.at(-1);

// A form may change, if readers know both: then a new version gets a folder of its own.
test.skipIf(FREEZE)(
  `the code stores and sends what fixtures/releases/${newest?.version} says; npm --prefix proofs run freeze`,
  async () => {
    expect(await makeForms(presentFunctions, table)).toEqual(newest?.forms);
  },
);

describe.each(releases)('a stage of $version', (release) => {
  const { forms } = release;
  const codes = Object.keys(forms.clicks);
  const afterWaiting = Object.fromEntries(
    Object.entries(forms.clicks).map(([code, clicks]) => [code, clicks.afterWaiting]),
  );
  const copies = [...forms.counted, ...forms.deadLetters.map(({ body }) => body)];

  test('that is upgraded counts each click once, and verify finds no drift', async () => {
    await store(release);
    const stage = new Stage(presentFunctions, table, 2);

    await stage.count(copies);
    await stage.count(forms.waiting);
    await stage.count(forms.waiting);

    expect(await readClicks(table, codes)).toEqual(afterWaiting);
    expect(await findDrifts()).toEqual([]);
  });

  test('that is upgraded and rolled back counts each click once, also those that the newer version published', async () => {
    await store(release);
    const present = new Stage(presentFunctions, table, 2);
    await present.count(forms.waiting);
    await present.visit('spring', 'utm_source=rollback');
    await present.visit('autumn');
    const [first = '', second = ''] = present.published;
    await present.count([first]);
    const rolledBack = new Stage(release.functions, table, 3);

    await rolledBack.count([...copies, ...forms.waiting, first, second]);
    await new Stage(presentFunctions, table, 4).count([first, second]);

    expect(await readClicks(table, codes)).toEqual({
      spring: (afterWaiting.spring ?? 0) + 1,
      autumn: (afterWaiting.autumn ?? 0) + 1,
    });
    expect(await findDrifts()).toEqual([]);
  });

  test('goes on after an upgrade: its API key, its cursor, its links, and a deletion', async () => {
    await store(release);
    const stage = new Stage(presentFunctions, table, 2);

    const ofKey = await stage.request('GET /api/links', { key: forms.apiKey });
    const nextPage = await stage.request('GET /links', { query: { cursor: forms.cursor } });
    const restored = await stage.request('POST /links/{code}/restore', { code: 'gone' });

    expect(ofKey).toMatchObject({ status: 200 });
    expect(ofKey.links).toHaveLength(4);
    expect(nextPage).toMatchObject({ status: 200 });
    expect(nextPage.links).toHaveLength(3);
    expect(restored.status).toBe(200);
    expect(await stage.visit('gone')).toBe(302);
    expect(await stage.visit('winter')).not.toBe(302);
  });

  test.each(stages)('%s keeps each resource that holds data', (stage) => {
    expect(presentResources[stage]?.data).toMatchObject(release.resources[stage]?.data ?? {});
  });
});

test('docs/upgrade.md has each kind of stored item, and what each earlier release does not know', async () => {
  const page = await readFile(path.join(projectDir, 'docs/upgrade.md'), 'utf8');
  const [, rollBack = '', forms = ''] = page.split(/^## (?:Roll back|Stored and sent forms)$/m);
  const kinds = new Set(
    newest?.forms.items.map((item) => {
      const [kind = ''] = textOf(item, 'PK').split('#');
      const sortKey = textOf(item, 'SK').replaceAll(/\d{4}-\d\d-\d\d/g, '<day>');
      return kind === 'LINK' ? sortKey.replace(/#utm_\w+$/, '#<parameter>') : kind;
    }),
  );

  expect([...kinds].filter((kind) => !forms.includes(`\`${kind}`))).toEqual([]);
  const earlier = releases.slice(0, -1).map((release) => release.version);
  expect(earlier.filter((one) => !rollBack.includes(`\n| ${one} | `))).toEqual([]);
});

// During a rollback, roles change before functions. All stages have the same roles.
test("each function keeps the newest release's rights, for one release", () => {
  const roles = presentResources.prod?.roles ?? {};

  for (const [name, statements] of Object.entries(newest?.resources.prod?.roles ?? {})) {
    expect(roles[name], name).toEqual(expect.arrayContaining(statements));
  }
});

/** Fills the table with what a stage of the release has in it. */
async function store({ forms }: Release): Promise<void> {
  for (const some of chunk(forms.items, 25)) {
    const requests = some.map((item) => ({ PutRequest: { Item: toNativeBytes(item) } }));
    await table.client.send(
      new BatchWriteItemCommand({ RequestItems: { [table.tableName]: requests } }),
    );
  }
}

function toNativeBytes(item: object) {
  const attributes = Object.entries(item).map(([name, value]) => [
    name,
    'B' in value ? { B: Buffer.from(value.B, 'base64') } : value,
  ]);
  return Object.fromEntries(attributes);
}

/** What `verify` would find. */
async function findDrifts(): Promise<unknown[]> {
  const recount = new Recount({ since: '0' });
  const scanned = toScannedCounts(await table.scan());
  recount.addFirst(scanned);
  recount.addSecond(scanned);
  const drifts = [recount.unevenTotals(), recount.unevenBreakdowns(), recount.drifts()];
  const found = drifts.flatMap((some) => [...some]);
  recount.close();
  return found;
}
