import { isDeepStrictEqual } from 'node:util';
import type { Write } from 'powertools-idempotency-transactional';
import { commitWrites } from '../../dynamodb/requests.ts';
import type { TransactionalTable } from '../../dynamodb/table.ts';
import { linkKey } from '../../keys.ts';
import type { UpdateLinkRequest } from '../api/link-request.ts';
import { notFoundError } from '../rules/code.ts';
import { linkFields, textFields } from '../rules/link-fields.ts';
import { changedError, takenDownError } from './link-answer.ts';
import { raiseVersion, recordChange, versionStep } from './link-change.ts';
import { getLink, getStoredLink, type Link, type StoredLink } from './links.ts';

interface OwnLinkUpdate extends UpdateLinkRequest {
  code: string;
}

type Expressions = Omit<NonNullable<Write['Update']>, 'Key'>;

/**
 * Updates a link for its owner, and returns it even if nothing changed. Throws an HttpError of 404 if
 * the link is unknown or another owner's, of 403 if an operator took it down, and of 409 if it isn't
 * what the update expects any more. Until an operator enables a link again, its owner can't enable it or
 * change where it leads, because visitors would then see a page that no operator has seen. Disabling it
 * changes nothing.
 */
export async function updateOwnLink(
  table: TransactionalTable,
  owner: string,
  update: OwnLinkUpdate,
): Promise<Link> {
  const expressions = describeUpdate(owner, update);
  const rejection = await commitUpdate(table, update.code, expressions);
  const link = rejection ? (rejection.item as Link | undefined) : await getLink(table, update.code);
  if (link?.owner !== owner) throw notFoundError(update.code);
  if (!rejection) return link;
  if (isBarredByTakeDown(update) && link.disabledBy === 'operator')
    throw takenDownError(update.code);
  // If the response to the first attempt is lost, the next one finds the link as it should be.
  if (!isUpdated(link, update)) throw changedError(update.code, link);
  return link;
}

/** Whether an owner's update must wait until an operator has enabled a taken-down link. */
function isBarredByTakeDown({ disabled, ...update }: UpdateLinkRequest): boolean {
  const changesLead = textFields.some(
    (name) => linkFields[name].leads && update[name] !== undefined,
  );
  return changesLead || disabled === false;
}

function describeUpdate(owner: string, update: OwnLinkUpdate): Expressions {
  const { disabled, expected = {} } = update;
  const sets: string[] = [];
  const removals: string[] = [];
  const conditions = ['#owner = :owner'];
  const names: Record<string, string> = { '#owner': 'owner' };
  const values: Record<string, string | string[] | boolean | number> = {
    ':owner': owner,
    ...versionStep,
  };
  for (const name of textFields) {
    const to = update[name];
    const before = expected[name];
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
  if (isBarredByTakeDown(update)) {
    conditions.push('(attribute_not_exists(disabledBy) OR disabledBy = :by)');
  }
  if (disabled || isBarredByTakeDown(update)) values[':by'] = 'owner';
  if (sets.length + removals.length > 0) {
    sets.push('updatedAt = :now');
    values[':now'] = new Date().toISOString();
  }
  return {
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
      raiseVersion,
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

/**
 * Disables or enables any link for an operator and returns it; undefined if it doesn't exist. What remains
 * of a purged link is disabled too, which keeps its code from everybody.
 */
export async function updateAnyLink(
  table: TransactionalTable,
  { code, disabled }: { code: string; disabled: boolean },
): Promise<StoredLink | undefined> {
  const update: Expressions = disabled
    ? {
        UpdateExpression: `SET disabled = :true, disabledBy = :by REMOVE #ttl ${raiseVersion}`,
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':true': true, ':by': 'operator', ...versionStep },
      }
    : {
        UpdateExpression: `REMOVE disabled, disabledBy ${raiseVersion}`,
        ConditionExpression: 'attribute_exists(#url)',
        ExpressionAttributeNames: { '#url': 'url' },
        ExpressionAttributeValues: versionStep,
      };
  const rejection = await commitUpdate(table, code, update, disabled ? { ttl: null } : {});
  return rejection ? undefined : getStoredLink(table, code);
}

function commitUpdate(
  table: TransactionalTable,
  code: string,
  update: Expressions,
  change?: Parameters<typeof recordChange>[1],
) {
  const Update = { Key: linkKey(code), ...update };
  return commitWrites(table, [{ Update }, recordChange(code, change)]);
}
