import { describe, expect, test } from 'vitest';
import { readAccesses } from '../../helpers/dynamodb-access.ts';
import { type Access, isAllowed, type Statement } from '../../helpers/iam.ts';

const access = (keys: Access['keys'] = {}): Access => ({
  action: 'dynamodb:PutItem',
  resource: 'arn:ClickTable',
  keys,
});
const statement = (changes: Partial<Statement> = {}): Statement => ({
  ...{ Effect: 'Allow', Action: ['dynamodb:PutItem'], Resource: 'arn:ClickTable' },
  ...changes,
});
const key = 'dynamodb:LeadingKeys';
const allOf = (...patterns: string[]) =>
  statement({ Condition: { 'ForAllValues:StringLike': { [key]: patterns } } });
const arnLike = statement({ Condition: { ArnLike: { [key]: '*' } } });

// tests/infrastructure covers what the roles themselves use.
describe('an access', () => {
  test.each([
    ['that lacks a key of ForAllValues is allowed', allOf('A#*'), access(), true],
    ['that lacks a key of ArnLike is denied', arnLike, access(), false],
    ['whose value differs in case is denied', allOf('a*'), access({ [key]: ['A1'] }), false],
  ])('%s', (_, role, asked, expected) => {
    expect(isAllowed([role], asked)).toBe(expected);
  });

  test('that one statement allows and another denies is denied', () => {
    expect(isAllowed([statement(), statement({ Effect: 'Deny' })], access())).toBe(false);
  });

  test('that no single statement fully allows is denied', () => {
    expect(isAllowed([allOf('A#*'), allOf('B#*')], access({ [key]: ['A#1', 'B#1'] }))).toBe(false);
  });

  test('with an unknown condition is an error that names it', () => {
    const role = statement({ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } });

    expect(() => isAllowed([role], access())).toThrow(/expected one of .*; got IpAddress/);
  });
});

describe('a request asks for', () => {
  test('the attributes of its key and all its expressions, by their real names', () => {
    const accesses = readAccesses({
      operation: 'UpdateItem',
      input: {
        Key: { PK: { S: 'LINK#a' }, SK: { S: 'META' } },
        UpdateExpression: 'SET by = if_not_exists(by, :ttl), #t = :now REMOVE info.clicks ADD n :n',
        ConditionExpression: 'size(codes) <= :room AND (attribute_not_exists(#t) OR NOT a IN (:b))',
        ExpressionAttributeNames: { '#t': 'ttl' },
        ReturnValues: 'ALL_NEW',
      },
    });

    expect(accesses).toEqual([
      {
        action: 'dynamodb:UpdateItem',
        resource: 'arn:ClickTable',
        keys: {
          'dynamodb:LeadingKeys': ['LINK#a'],
          'dynamodb:Attributes': expect.any(Array),
          'dynamodb:ReturnValues': ['ALL_NEW'],
        },
      },
    ]);
    expect(accesses[0]?.keys['dynamodb:Attributes']?.toSorted()).toEqual([
      'PK',
      'SK',
      'a',
      'by',
      'codes',
      'info',
      'n',
      'ttl',
    ]);
  });

  test('the partition of an index', () => {
    const [asked] = readAccesses({
      operation: 'Query',
      input: {
        IndexName: 'LinksByOwner',
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': { S: 'ada' } },
      },
    });

    expect(asked).toEqual({
      action: 'dynamodb:Query',
      resource: 'arn:ClickTable/index/LinksByOwner',
      keys: { 'dynamodb:LeadingKeys': ['ada'], 'dynamodb:Attributes': ['owner'] },
    });
  });

  test("each item of a transaction, and each action's items together", () => {
    const update = (PK: string, attribute: string) => ({
      Update: { Key: { PK: { S: PK } }, UpdateExpression: `ADD ${attribute} :one` },
    });
    const put = {
      Put: { Item: { PK: { S: 'P' } }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
    };

    const accesses = readAccesses({
      operation: 'TransactWriteItems',
      input: { TransactItems: [update('A', 'x'), update('B', 'y'), put] },
    });

    const enclosing = { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] };
    expect(accesses.map(({ action, keys }) => [action.replace('dynamodb:', ''), keys])).toEqual([
      ['UpdateItem', { ...keysOf(['A'], ['PK', 'x']), ...enclosing }],
      ['UpdateItem', { ...keysOf(['B'], ['PK', 'y']), ...enclosing }],
      ['PutItem', { ...keysOf(['P'], ['PK']), ...enclosing, 'dynamodb:ReturnValues': ['ALL_OLD'] }],
      ['UpdateItem', { ...keysOf(['A', 'B'], ['PK', 'x', 'y']), ...enclosing }],
      ['PutItem', { ...keysOf(['P'], ['PK']), ...enclosing, 'dynamodb:ReturnValues': ['ALL_OLD'] }],
    ]);
  });
});

function keysOf(leading: string[], attributes: string[]) {
  return { 'dynamodb:LeadingKeys': leading, 'dynamodb:Attributes': attributes };
}
