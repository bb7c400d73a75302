import { isDeepStrictEqual } from 'node:util';
import { retryWhileBusy, type Update, updateItem, writeTimeoutMs } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { linkKey } from '../keys.ts';
import { textFields } from './link-fields.ts';
import type { UpdateLinkRequest } from './link-request.ts';
import type { Link } from './links.ts';

/** How long a change may take to reach visitors: resolve-link caches a link's URL. */
export const urlCacheSeconds = 30;

interface OwnLinkUpdate extends UpdateLinkRequest {
  code: string;
}

type Expressions = Omit<Update, 'Key'>;

interface Updated {
  /** The link after the update or, if it was refused, before. */
  link: Link;
  refusal?: 'taken-down' | 'changed';
}

/**
 * Updates a link for its owner, and returns it even if nothing changed. An owner can't enable a
 * link that an operator took down, or change its URL (`taken-down`), because enabling it would show
 * visitors a page that no operator has seen. Disabling it changes nothing. If the update
 * says what it expects and the link has changed since, nothing happens (`changed`). Another owner's
 * link is `unknown`.
 */
export async function updateOwnLink(
  table: TableAccess,
  owner: string,
  update: OwnLinkUpdate,
): Promise<Updated | { link?: undefined; refusal: 'unknown' }> {
  const expressions = describeUpdate(owner, update);
  const { item: link, isRefused } = await sendUpdate(table, update.code, expressions);
  if (link?.owner !== owner) return { refusal: 'unknown' };
  if (!isRefused) return { link };
  if (needsOwnSwitch(update) && link.disabledBy === 'operator') {
    return { link, refusal: 'taken-down' };
  }
  // If the response to the first attempt is lost, the next one finds the link as it should be.
  return isUpdated(link, update) ? { link } : { link, refusal: 'changed' };
}

/** Whether an update is refused while an operator has disabled the link. */
function needsOwnSwitch({ url, disabled }: UpdateLinkRequest): boolean {
  return url !== undefined || disabled === false;
}

function describeUpdate(owner: string, update: OwnLinkUpdate): Expressions {
  const { disabled, expected = {} } = update;
  const sets: string[] = [];
  const removals: string[] = [];
  const conditions = ['#owner = :owner'];
  const names: Record<string, string> = { '#owner': 'owner' };
  const values: Record<string, string | string[] | boolean> = { ':owner': owner };
  for (const name of textFields) {
    const [to, before] = [update[name], expected[name]];
    if (to !== undefined || before !== undefined) names[`#${name}`] = name;
    if (to !== undefined && to !== null) {
      sets.push(`#${name} = :${name}`);
      values[`:${name}`] = to;
    }
    if (to === null) removals.push(`#${name}`);
    if (before !== undefined && before !== null) {
      conditions.push(`#${name} = :before_${name}`);
      values[`:before_${name}`] = before;
    }
    if (before === null) conditions.push(`attribute_not_exists(#${name})`);
  }
  if (disabled) {
    sets.push('disabled = :true', 'disabledBy = if_not_exists(disabledBy, :by)');
    values[':true'] = true;
  }
  if (disabled === false) removals.push('disabled', 'disabledBy');
  if (needsOwnSwitch(update)) {
    conditions.push('(attribute_not_exists(disabledBy) OR disabledBy = :by)');
  }
  if (disabled || needsOwnSwitch(update)) values[':by'] = 'owner';
  return {
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

function isUpdated(link: Link, update: OwnLinkUpdate): boolean {
  const { disabled } = update;
  const isSet = textFields.every(
    (name) =>
      update[name] === undefined || isDeepStrictEqual(link[name], update[name] ?? undefined),
  );
  return isSet && (disabled === undefined || (link.disabled ?? false) === disabled);
}

/** Disables or enables any link for an operator and returns it; undefined if it doesn't exist. */
export async function updateAnyLink(
  table: TableAccess,
  { code, disabled }: { code: string; disabled: boolean },
): Promise<Link | undefined> {
  // What remains of a purged link has no URL.
  const exists = {
    ConditionExpression: 'attribute_exists(#url)',
    ExpressionAttributeNames: { '#url': 'url' },
  };
  const update: Expressions = disabled
    ? {
        ...exists,
        UpdateExpression: 'SET disabled = :true, disabledBy = :by',
        ExpressionAttributeValues: { ':true': true, ':by': 'operator' },
      }
    : { ...exists, UpdateExpression: 'REMOVE disabled, disabledBy' };
  const { isRefused, item } = await sendUpdate(table, code, update);
  return isRefused ? undefined : item;
}

function sendUpdate(table: TableAccess, code: string, update: Expressions) {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs);
  // The aggregator's transactions conflict with writes to a busy link.
  return retryWhileBusy(() =>
    updateItem<Link>({ ...table, abortSignal }, { Key: linkKey(code), ...update }),
  );
}
