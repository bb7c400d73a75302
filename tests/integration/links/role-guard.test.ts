import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, inject, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { link } from '../../helpers/items.ts';
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
