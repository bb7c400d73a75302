import { describe, expect, test } from 'vitest';
import type { Statement } from '../helpers/iam.ts';
import { readRole } from '../helpers/roles.ts';
import { openStage, packageDirOf, packaged } from './stage-template.ts';

const writers = [
  ...['AggregateClicks', 'CreateLink', 'DeleteLink', 'ImportLinks', 'PurgeLinks', 'UpdateLink'],
];
const live = ['CloseConnection', 'OpenConnection', 'PushCounts', 'WatchLinks'];

/** The keys and actions that give a power, and the only functions that may have it. */
const powers: [power: string, means: string[], functions: string[]][] = [
  ['change links', ['LINK#*'], writers],
  ['change markers', ['CLICK#*', 'CLICKS#*'], ['AggregateClicks']],
  ['delete links', ['DELETED'], ['DeleteLink', 'PurgeLinks']],
  ['change quotas', ['OWNER#*'], ['CreateLink', 'ImportLinks']],
  ['change lists of API keys', ['KEYS#*'], ['ManageKeys']],
  ['change watches', ['WATCH#*'], live],
  ['publish clicks', ['events:PutEvents'], ['ResolveLink']],
  ['send to a queue', ['sqs:SendMessage'], ['AggregateClicks', 'ResolveLink']],
  ['receive from a queue', ['sqs:ReceiveMessage'], ['AggregateClicks']],
  ['send to connections', ['execute-api:ManageConnections'], ['PushCounts', 'WatchLinks']],
];

const isWrite = ({ Action }: Statement) =>
  Action.some((action) => /^dynamodb:(Put|Update|Delete)Item$/.test(action));
/** The leading keys that a statement permits. */
const keysOf = ({ Condition = {} }: Statement): string[] =>
  ['ForAllValues:StringLike', 'ForAllValues:StringEquals'].flatMap((operator) =>
    [Condition[operator]?.['dynamodb:LeadingKeys'] ?? []].flat().map(String),
  );

describe.each(packaged)('the roles of %s', async (name) => {
  const { idsOf, read, readType } = await openStage(name);
  // BackupRole is for AWS Backup. backups.test.ts covers it.
  const roleIds = idsOf('IAM::Role').filter((id) => id !== 'BackupRole');
  const roles = await Promise.all(
    roleIds.map(async (id) => [id, await readRole(packageDirOf(name), id)] as const),
  );

  test('are not shared between functions', () => {
    const used = Object.values(readType('Lambda::Function')).map(({ Role }) => `${Role}`);
    expect(used.toSorted()).toEqual(roleIds.map((id) => `arn:${id}`).toSorted());
  });

  test.each(powers)('%s by %j only as %j', (_, means, functions) => {
    const meansOf = (statement: Statement) => [
      ...[...statement.Action, ...(isWrite(statement) ? keysOf(statement) : [])],
    ];
    const holders = roles
      .filter(([, statements]) => statements.flatMap(meansOf).some((one) => means.includes(one)))
      .map(([id]) => id);

    expect(holders.toSorted()).toEqual(
      functions.map((each) => `${each}Role`).filter((id) => roleIds.includes(id)),
    );
  });

  test.each(roles)(
    'limit %s to named actions and items, and trust only Lambda',
    (id, statements) => {
      expect(statements).not.toEqual([]);
      for (const statement of statements) {
        expect(statement.Effect).toBe('Allow');
        expect(statement.Action.join()).not.toContain('*');
        // X-Ray doesn't support resources.
        if (!/^xray:/.test(statement.Action.join()))
          expect([statement.Resource].flat()).not.toContain('*');
        if (statement.Resource !== 'arn:ClickTable') continue;
        expect(keysOf(statement)).not.toEqual([]);
        for (const key of keysOf(statement))
          expect(key).toMatch(/^([A-Z]+#\*|BACKLOG|CONNECTIONS|DELETED)$/);
      }
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
      // The tenth is for the ARNs, which are longer than logical ids.
      expect(JSON.stringify(statements).length).toBeLessThan(10_240 * 0.9);
      const { AssumeRolePolicyDocument, ManagedPolicyArns } = read(id);
      const Principal = { Service: 'lambda.amazonaws.com' };
      expect(AssumeRolePolicyDocument).toEqual({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }],
      });
      expect(ManagedPolicyArns).toBeUndefined();
    },
  );
});
