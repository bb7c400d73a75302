import { createHash } from 'node:crypto';
import type { Write } from 'powertools-idempotency-transactional';
import { creationMarkerKey } from '../../keys.ts';
import { describeContent } from '../rules/link-fields.ts';

/** More than a year, so that somebody who imports a file once a year finds its links. */
export const creationMarkerDays = 400;
const markerSeconds = creationMarkerDays * 24 * 60 * 60;

/**
 * What has a key. A row of a file is the same if only its note differs, because a file's notes count clicks.
 * A request must be the same in every field.
 */
export type Keyed = 'row' | 'request';

interface Creation {
  owner: string;
  keyed: Keyed;
  /** An ISO 8601 instant. */
  createdAt: string;
}

interface KeyedFields {
  key: string;
  /** The caller's JSON. */
  fields: unknown;
}

/** Stores that a key has created a link, unless it has done so before. */
export function putMarker(
  { owner, keyed, createdAt }: Creation,
  { key, fields }: KeyedFields,
  code: string,
): Write {
  const Item = {
    ...creationMarkerKey(owner, key),
    code,
    validation: hashContent(fields),
    ...(keyed === 'request' && { request: hashFields(fields) }),
    ttl: Math.floor(Date.parse(createdAt) / 1_000) + markerSeconds,
  };
  return { Put: { Item, ConditionExpression: 'attribute_not_exists(PK)' } };
}

/** Whether a marker is of the same row or request. A row's marker doesn't have its request. */
export function isMarkerOf(
  marker: Record<string, unknown>,
  fields: unknown,
  keyed: Keyed,
): boolean {
  return keyed === 'request' && marker.request !== undefined
    ? marker.request === hashFields(fields)
    : marker.validation === hashContent(fields);
}

function hashContent(fields: unknown): string {
  return hash(describeContent(toObject(fields)));
}

/** The fields' order doesn't matter. */
function hashFields(fields: unknown): string {
  const sorted = Object.entries(toObject(fields)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify(sorted));
}

/** The caller's JSON may be anything. Only an object ever gets a marker. */
function toObject(fields: unknown): Record<string, unknown> {
  return typeof fields === 'object' ? { ...fields } : {};
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
