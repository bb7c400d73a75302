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
const ifExists = (value: string) =>
  statement({ Condition: { StringEqualsIfExists: { [key]: value } } });
const equal = (value: string) => statement({ Condition: { StringEquals: { [key]: value } } });
const arnLike = (pattern: string) => statement({ Condition: { ArnLike: { [key]: pattern } } });
const anyOf = (...values: string[]) =>
  statement({ Condition: { 'ForAnyValue:StringEquals': { [key]: values } } });

describe('an access', () => {
  test.each([
    ['that a statement allows', statement(), access()],
    ['of any action', statement({ Action: ['dynamodb:*'] }), access()],
    ['whose values all match', allOf('A#*', 'B?'), access({ [key]: ['A#1', 'A#', 'B2'] })],
    ['that lacks a key of ForAllValues', allOf('A#*'), access()],
    ['one of whose values is named', anyOf('A'), access({ [key]: ['B', 'A'] })],
    ['that lacks a key of IfExists', ifExists('A'), access()],
    ['whose value is that of IfExists', ifExists('A'), access({ [key]: ['A'] })],
    ['whose value is equal', equal('A'), access({ [key]: ['A'] })],
    ['whose ARN matches', arnLike('arn:*:a-*'), access({ [key]: ['arn:aws:a-1'] })],
  ])('%s is allowed', (_, role, asked) => {
    expect(isAllowed([role], asked)).toBe(true);
  });

  test.each([
    ['of another action', statement({ Action: ['dynamodb:GetItem'] }), access()],
    ['on another resource', statement({ Resource: 'arn:Other' }), access()],
    ['one of whose values does not match', allOf('A#*'), access({ [key]: ['A#1', 'B'] })],
    ['whose value is longer than the pattern', allOf('A?'), access({ [key]: ['A12'] })],
    ['whose value differs in case', allOf('a*'), access({ [key]: ['A1'] })],
    ['that matches none of the named values', anyOf('A*'), access({ [key]: ['A1'] })],
    ['that lacks a key of ForAnyValue', anyOf('A'), access()],
    ['whose value is not that of IfExists', ifExists('A'), access({ [key]: ['B'] })],
    ['whose value is not equal', equal('A'), access({ [key]: ['A1'] })],
    ['that lacks a key of StringEquals', equal('A'), access()],
    ['whose ARN does not match', arnLike('arn:*:a-*'), access({ [key]: ['arn:aws:b-1'] })],
    ['that lacks a key of ArnLike', arnLike('*'), access()],
  ])('%s is denied', (_, role, asked) => {
    expect(isAllowed([role], asked)).toBe(false);
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

  test('all the keys of a batch', () => {
    const Keys = [{ PK: { S: 'A' } }, { PK: { S: 'B' } }];

    const [asked] = readAccesses({
      operation: 'BatchGetItem',
      input: { RequestItems: { t: { Keys } } },
    });

    expect(asked?.keys).toEqual(keysOf(['A', 'B'], ['PK']));
  });
});

function keysOf(leading: string[], attributes: string[]) {
  return { 'dynamodb:LeadingKeys': leading, 'dynamodb:Attributes': attributes };
}
