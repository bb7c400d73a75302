import type {
  AttributeValue,
  PutItemInput,
  QueryInput,
  UpdateItemInput,
} from '@aws-sdk/client-dynamodb';
import type { Access } from './iam.ts';

/** A request as the SDK sends it: the operation in X-Amz-Target and the JSON body. */
export interface DynamoDbRequest {
  operation: string;
  input: Part & {
    TransactItems?: Record<string, Part>[];
    RequestItems?: Record<string, { Keys?: AttributeMap[] } | { PutRequest?: Part }[]>;
  };
}

type AttributeMap = Record<string, AttributeValue>;

/** One action of a request. */
type Part = Partial<PutItemInput & UpdateItemInput & QueryInput> & { Keys?: AttributeMap[] };

/**
 * The accesses that DynamoDB checks with IAM for a request on ClickTable. AWS doesn't document whether
 * a transaction's items are checked one by one or grouped by action, so this returns both.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function readAccesses({ operation, input }: DynamoDbRequest): Access[] {
  if (input.TransactItems) {
    const accesses = input.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, part]) => readAccess(`${kind}Item`, part, operation)),
    );
    const together = [...Map.groupBy(accesses, ({ action }) => action).values()].map(merge);
    return [...accesses, ...together];
  }
  if (input.RequestItems) {
    return Object.values(input.RequestItems).flatMap((part) =>
      Array.isArray(part)
        ? part.map(({ PutRequest = {} }) => readAccess(operation, PutRequest))
        : [readAccess(operation, part)],
    );
  }
  return [readAccess(operation, input)];
}

function readAccess(action: string, part: Part, enclosing?: string): Access {
  const { IndexName } = part;
  return {
    action: `dynamodb:${action}`,
    resource: IndexName === undefined ? 'arn:ClickTable' : `arn:ClickTable/index/${IndexName}`,
    keys: {
      'dynamodb:LeadingKeys': readLeadingKeys(part),
      'dynamodb:Attributes': readAttributes(part),
      ...(enclosing && { 'dynamodb:EnclosingOperation': [enclosing] }),
    },
  };
}

function readLeadingKeys(part: Part): string[] {
  const keys = part.Keys ?? [part.Item ?? part.Key ?? {}];
  const [, queried = ''] = /= *(:\w+)/.exec(part.KeyConditionExpression ?? '') ?? [];
  const values = [...keys.map(({ PK }) => PK), part.ExpressionAttributeValues?.[queried]];
  return values.flatMap((value) => value?.S ?? []);
}

const words = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** The top-level attributes in a part's expressions, without functions, keywords and nested names. */
function readAttributes(part: Part): string[] {
  const expressions = [
    ...[part.KeyConditionExpression, part.ConditionExpression, part.UpdateExpression],
    ...[part.FilterExpression, part.ProjectionExpression],
  ].join(' ');
  const named = (expressions.match(/(?<![\w:.#])#?[a-zA-Z_0-9]+(?![\w(])/g) ?? [])
    .filter((word) => !words.has(word.toUpperCase()))
    .map((word) => part.ExpressionAttributeNames?.[word] ?? word);
  const items = part.Keys ?? [part.Item ?? part.Key ?? {}];
  return [...new Set([...items.flatMap(Object.keys), ...named])];
}

function merge(accesses: Access[]): Access {
  const [{ action, resource } = { action: '', resource: '' }] = accesses;
  const names = new Set(accesses.flatMap(({ keys }) => Object.keys(keys)));
  const lists = [...names].map((name) => [name, accesses.flatMap(({ keys }) => keys[name] ?? [])]);
  return { action, resource, keys: Object.fromEntries(lists) };
}
