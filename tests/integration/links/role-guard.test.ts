import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, inject, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { link, marker } from '../../helpers/items.ts';
import { startRoleGuard } from '../../helpers/role-guard.ts';
import { useTable } from '../../helpers/test-table.ts';

const table = useTable();

test.skipIf(!inject('underRoles'))(
  'a request that no role allows does not reach the table and fails its test file',
  async () => {
    const Item = marshall(link('guarded'));
    const Key = marshall({ PK: 'LINK#guarded', SK: 'META' });
    const TableName = table.tableName;
    const guard = await startRoleGuard(table.endpoint, ['ResolveLink']);
    const client = new DynamoDBClient(localClientConfig(guard.url));

    const put = client.send(new PutItemCommand({ TableName, Item }));

    await expect(put).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(await client.send(new GetItemCommand({ TableName, Key }))).not.toHaveProperty('Item');
    await expect(guard.stop()).rejects.toThrow(/ResolveLinkRole .*"dynamodb:PutItem"/);
  },
);

test.skipIf(!inject('underRoles'))('a single role must allow all of a request', async () => {
  const guard = await startRoleGuard(table.endpoint, ['CreateLink', 'AggregateClicks']);
  const client = new DynamoDBClient(localClientConfig(guard.url));
  const items = [link('halved'), marker('halved', 'halved', '2026-05-26')];
  const TransactItems = items.map((item) => ({
    Put: { TableName: table.tableName, Item: marshall(item) },
  }));

  const put = client.send(new TransactWriteItemsCommand({ TransactItems }));

  await expect(put).rejects.toMatchObject({ name: 'AccessDeniedException' });
  await expect(guard.stop()).rejects.toThrow(/CreateLinkRole or AggregateClicksRole/);
});
