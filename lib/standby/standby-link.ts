import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandOutput,
  PutCommand,
  type PutCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { WriteUnprovenError } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { linkKey } from '../keys.ts';
import { isTombstone, type Link, type StoredLink } from '../links/storage/links.ts';

/**
 * A link as the standby has it: its version, and what the redirect reads. A tombstone doesn't
 * have a URL, and expires like the home table's item.
 */
export type StandbyLink = { version: number; ttl?: number } & Partial<
  Pick<Link, 'url' | 'forwardQuery' | 'expiresAt' | 'disabled' | 'deletedAt'>
>;

/** Everything else about a link, such as its owner and its note, stays in the home Region. */
export function toStandbyLink(stored: StoredLink): StandbyLink {
  const { version = 0, disabled } = stored;
  const common = { version, ...(disabled && { disabled }) };
  if (isTombstone(stored)) {
    const { ttl } = stored;
    return { ...common, ...(ttl !== undefined && { ttl }) };
  }
  const { url, forwardQuery, expiresAt, deletedAt } = stored;
  return {
    ...common,
    url,
    ...(forwardQuery && { forwardQuery }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(deletedAt !== undefined && { deletedAt }),
  };
}

/** Whether visitors are redirected, unless the link has expired. */
export function redirects({ url, disabled, deletedAt }: StandbyLink): boolean {
  return url !== undefined && !disabled && deletedAt === undefined;
}

/**
 * Writes a link to the standby, unless it has this version or a newer one. So late and repeated writes
 * change nothing.
 */
export function updateStandbyLink(
  { client, tableName: TableName, abortSignal }: TableAccess,
  code: string,
  link: StandbyLink,
): Promise<boolean> {
  const put = new PutCommand({
    TableName,
    Item: { ...linkKey(code), ...link },
    ConditionExpression: 'attribute_not_exists(PK) OR version < :version',
    ExpressionAttributeValues: { ':version': link.version },
    ReturnConsumedCapacity: 'TOTAL',
  });
  return isAccepted(client.send(put, { abortSignal }));
}

/**
 * Replaces what the standby has of a link, or removes it, unless that has changed since it was read:
 * `seen` is undefined if there was nothing.
 */
export function repairStandbyLink(
  { client, tableName: TableName, abortSignal }: TableAccess,
  code: string,
  { seen, link }: { seen?: StandbyLink; link?: StandbyLink },
): Promise<boolean> {
  const isAsSeen = seen
    ? {
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': seen.version },
      }
    : { ConditionExpression: 'attribute_not_exists(PK)' };
  const Key = linkKey(code);
  const common = { TableName, ReturnConsumedCapacity: 'TOTAL', ...isAsSeen } as const;
  return isAccepted(
    link
      ? client.send(new PutCommand({ ...common, Item: { ...Key, ...link } }), { abortSignal })
      : client.send(new DeleteCommand({ ...common, Key }), { abortSignal }),
  );
}

/**
 * Whether a conditional write was done. Throws any error other than a failed condition, and
 * `WriteUnprovenError` if the response doesn't have the capacity: something between here and DynamoDB can
 * respond 200, too.
 */
async function isAccepted(
  write: Promise<PutCommandOutput | DeleteCommandOutput>,
): Promise<boolean> {
  try {
    const { ConsumedCapacity } = await write;
    if (ConsumedCapacity) return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
  throw new WriteUnprovenError('expected the consumed capacity in the response; got none');
}
