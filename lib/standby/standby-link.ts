import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table.ts';
import { linkKey } from '../keys.ts';
import { isPurged, type Link, type StoredLink } from '../links/storage/links.ts';

/**
 * A link as the standby has it: its version, and what the redirect reads. What remains of a purged link
 * doesn't have a URL, and expires like the home table's item.
 */
export type StandbyLink = { version: number; ttl?: number } & Partial<
  Pick<Link, 'url' | 'forwardQuery' | 'expiresAt' | 'disabled' | 'deletedAt'>
>;

/** Everything else about a link, such as its owner and its note, stays in the home Region. */
export function toStandbyLink(stored: StoredLink): StandbyLink {
  const { version = 0, disabled } = stored;
  const common = { version, ...(disabled && { disabled }) };
  if (isPurged(stored)) {
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
  return isAccepted(
    link
      ? client.send(new PutCommand({ TableName, Item: { ...Key, ...link }, ...isAsSeen }), {
          abortSignal,
        })
      : client.send(new DeleteCommand({ TableName, Key, ...isAsSeen }), { abortSignal }),
  );
}

/** Whether a conditional write was done. Throws any error other than a failed condition. */
async function isAccepted(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
