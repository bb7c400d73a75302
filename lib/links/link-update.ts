import { retryWhileBusy, writeTimeoutMs } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type Update, updateItem } from '../dynamodb/update-item.ts';
import { linkKey } from '../keys.ts';
import type { UpdateLinkRequest } from './link-request.ts';
import type { Link } from './links.ts';

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
  const { url, expiresAt, disabled, expected = {} } = update;
  const sets: string[] = [];
  const removals: string[] = [];
  const conditions = ['#owner = :owner'];
  if (url !== undefined) sets.push('#url = :url');
  if (expiresAt) sets.push('expiresAt = :expiresAt');
  if (expiresAt === null) removals.push('expiresAt');
  if (disabled) sets.push('disabled = :true', 'disabledBy = if_not_exists(disabledBy, :by)');
  if (disabled === false) removals.push('disabled', 'disabledBy');
  const isSwitched = disabled !== undefined || url !== undefined;
  if (needsOwnSwitch(update)) {
    conditions.push('(attribute_not_exists(disabledBy) OR disabledBy = :by)');
  }
  if (expected.url !== undefined) conditions.push('#url = :expectedUrl');
  if (expected.expiresAt) conditions.push('expiresAt = :expectedExpiry');
  if (expected.expiresAt === null) conditions.push('attribute_not_exists(expiresAt)');
  const usesUrl = url !== undefined || expected.url !== undefined;
  const values = {
    ...{ ':owner': owner, ':url': url, ':expiresAt': expiresAt ?? undefined },
    ...{ ':true': disabled || undefined, ':by': isSwitched ? 'owner' : undefined },
    ...{ ':expectedUrl': expected.url, ':expectedExpiry': expected.expiresAt ?? undefined },
  };
  return {
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#owner': 'owner', ...(usesUrl && { '#url': 'url' }) },
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    ),
  };
}

function isUpdated(link: Link, { url = link.url, expiresAt, disabled }: OwnLinkUpdate): boolean {
  const isExpirySet = expiresAt === undefined || link.expiresAt === (expiresAt ?? undefined);
  const isSwitched = disabled === undefined || (link.disabled ?? false) === disabled;
  return link.url === url && isExpirySet && isSwitched;
}

/** Disables or enables any link for an operator and returns it; undefined if it doesn't exist. */
export async function updateAnyLink(
  table: TableAccess,
  { code, disabled }: { code: string; disabled: boolean },
): Promise<Link | undefined> {
  const exists = { ConditionExpression: 'attribute_exists(PK)' };
  const update: Expressions = disabled
    ? {
        ...exists,
        UpdateExpression: 'SET disabled = :true, disabledBy = :by',
        ExpressionAttributeValues: { ':true': true, ':by': 'operator' },
      }
    : { ...exists, UpdateExpression: 'REMOVE disabled, disabledBy' };
  return (await sendUpdate(table, code, update)).item;
}

function sendUpdate(table: TableAccess, code: string, update: Expressions) {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs);
  // The aggregator's transactions conflict with writes to a busy link.
  return retryWhileBusy(() =>
    updateItem<Link>({ ...table, abortSignal }, { Key: linkKey(code), ...update }),
  );
}
