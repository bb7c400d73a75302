import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { link } from '../../helpers/items.ts';
import { startOperatedStack } from '../../helpers/operator.ts';
import { startTable, type TestTable } from '../../helpers/test-table.ts';

type Stack = Awaited<ReturnType<typeof startOperatedStack>>;

let standby: TestTable;
let stack: Stack;
const url = 'https://example.com/';

beforeAll(async () => {
  standby = await startTable();
  const { endpoint: dynamodbEndpoint, tableName } = standby;
  const nowhere = 'http://127.0.0.1:1';
  const others = { api: nowhere, sqsEndpoint: nowhere, dlqUrl: nowhere };
  stack = await startOperatedStack({ standby: { ...others, dynamodbEndpoint, tableName } });
});
afterAll(async () => {
  await stack.stop();
  await standby.stop();
});
beforeEach(async () => {
  await stack.table.empty();
  await standby.empty();
});

const compare = (...options: string[]) => stack.run('links.ts', ['standby', ...options]);
const copyOf = (code: string, version: number, more = {}) => {
  return { PK: `LINK#${code}`, SK: 'META', version, url, ...more };
};
const ofStack = 'of the local stack at http://127.0.0.1:1';

test('standby names the links that differ, and changes nothing', async () => {
  await stack.table.put(
    { ...link('same', 3), version: 5, owner: 'anna', note: 'private' },
    { ...link('old'), version: 7, disabled: true },
    { ...link('other'), version: 7 },
    link('missing'),
  );
  const copies = [
    copyOf('same', 5),
    copyOf('old', 6),
    copyOf('other', 7, { url: 'https://evil.example/' }),
    copyOf('extra', 1),
  ];
  await standby.put(...copies);

  const { code, stdout } = await compare();

  expect(code).toBe(1);
  const lines = stdout.trimEnd().split('\n').toSorted();
  expect(lines).toEqual(
    [
      '  extra: not a link of the stage',
      '  missing: missing',
      '  old: has version 6 instead of 7',
      '  other: has other contents',
      `Compared 4 links ${ofStack}: 4 differ.`,
    ].toSorted(),
  );
  expect(await standby.scan()).toEqual(expect.arrayContaining(copies));
});

test('standby --repair fills an empty standby, undoes what differs, and finds nothing the second time', async () => {
  await stack.table.put(
    { ...link('old'), version: 7, disabled: true, disabledBy: 'operator' },
    { ...link('restored-table'), version: 3 },
    link('missing'),
  );
  await standby.put(copyOf('old', 6), copyOf('restored-table', 9), copyOf('extra', 1));

  const repair = await compare('--repair');
  const again = await compare();

  expect(repair.code).toBe(0);
  expect(repair.stdout).toContain(`Compared 3 links ${ofStack}: 4 differ. 4 repaired.`);
  expect(again).toMatchObject({ code: 0, stdout: `Compared 3 links ${ofStack}: 0 differ.\n` });
  expect(await standby.get('LINK#old', 'META')).toEqual(copyOf('old', 7, { disabled: true }));
  expect(await standby.get('LINK#restored-table', 'META')).toMatchObject({ version: 3 });
  expect(await standby.get('LINK#extra', 'META')).toBeUndefined();
});

test('a tombstone may expire in one Region before the other', async () => {
  const tombstone = { PK: 'LINK#gone', SK: 'META', version: 8, ttl: 1_700_000_000 };
  await standby.put(tombstone);

  expect(await compare()).toMatchObject({ code: 0 });
});
