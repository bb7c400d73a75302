import type { Write } from 'powertools-idempotency-transactional';
import { changeKey } from '../../keys.ts';

/** For an UpdateExpression of a link's own item, together with {@link versionStep}. */
export const raiseVersion = 'ADD version :versionStep';
export const versionStep = { ':versionStep': 1 };

interface ChangeOptions {
  /** The version of a link's item that is put. An update raises it by one. */
  version?: number;
  /** When the link's item expires, in epoch seconds; null if it doesn't any more. */
  ttl?: number | null;
}

/**
 * Belongs to each transaction that changes a link. Clicks change the link's item too, and a filter of the
 * table's stream can't tell which attributes have changed. Clicks don't touch this item, so it tells
 * replicate-links that a link has a new version (docs/decisions.md#the-standby).
 */
export function recordChange(code: string, { version, ttl }: ChangeOptions = {}): Write {
  const Key = changeKey(code);
  if (version !== undefined) return { Put: { Item: { ...Key, version } } };
  if (ttl === undefined) {
    const step = { UpdateExpression: raiseVersion, ExpressionAttributeValues: versionStep };
    return { Update: { Key, ...step } };
  }
  return {
    Update: {
      Key,
      UpdateExpression: `${ttl === null ? 'REMOVE #ttl' : 'SET #ttl = :ttl'} ${raiseVersion}`,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ...versionStep, ...(ttl !== null && { ':ttl': ttl }) },
    },
  };
}
