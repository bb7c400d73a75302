import { isDeepStrictEqual } from 'node:util';
import type { Write } from 'powertools-idempotency-transactional';
import { commitWrites } from '../../dynamodb/requests.ts';
import type { TransactionalTable } from '../../dynamodb/table.ts';
import { linkKey } from '../../keys.ts';
import type { UpdateLinkRequest } from '../api/link-request.ts';
import { notFoundError } from '../rules/code.ts';
import { linkFields, type TextField, textFields } from '../rules/link-fields.ts';
import { changedError, takenDownError } from './link-answer.ts';
import { raiseVersion, recordChange, versionStep } from './link-version.ts';
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
  // DynamoDB may reject a condition without the item.
  const link = (rejection?.item as Link | undefined) ?? (await getLink(table, update.code));
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

type Value = string | string[] | boolean | number;

/** A part of an update: what it changes, or its condition, with the names and values that it mentions. */
interface Clause {
  set?: string;
  remove?: string;
  condition?: string;
  names?: Record<string, string>;
  values?: Record<string, Value>;
}

function describeUpdate(owner: string, update: OwnLinkUpdate): Expressions {
  const { disabled, expected = {} } = update;
  const changes = [
    ...textFields.flatMap((name) => changeText(name, update[name])),
    ...changeDisabled(disabled),
  ];
  return joinClauses([
    requireOwner(owner),
    ...textFields.flatMap((name) => requireText(name, expected[name])),
    ...(isBarredByTakeDown(update) ? [requireNoTakeDown] : []),
    ...changes,
    ...(changes.length > 0 ? [changeTime()] : []),
  ]);
}

function changeText(name: TextField, to: Value | null | undefined): Clause[] {
  if (to === undefined) return [];
  const names = { [`#${name}`]: name };
  if (to === null) return [{ remove: `#${name}`, names }];
  return [{ set: `#${name} = :${name}`, names, values: { [`:${name}`]: to } }];
}

function changeDisabled(disabled: boolean | undefined): Clause[] {
  if (disabled === undefined) return [];
  if (!disabled) return [{ remove: 'disabled, disabledBy' }];
  const set = 'disabled = :true, disabledBy = if_not_exists(disabledBy, :by)';
  return [{ set, values: { ':true': true, ':by': 'owner' } }];
}

function changeTime(): Clause {
  return { set: 'updatedAt = :now', values: { ':now': new Date().toISOString() } };
}

function requireOwner(owner: string): Clause {
  const names = { '#owner': 'owner' };
  return { condition: '#owner = :owner', names, values: { ':owner': owner } };
}

function requireText(name: TextField, before: Value | null | undefined): Clause[] {
  if (before === undefined) return [];
  const names = { [`#${name}`]: name };
  if (before === null) return [{ condition: `attribute_not_exists(#${name})`, names }];
  const values = { [`:before_${name}`]: before };
  return [{ condition: `#${name} = :before_${name}`, names, values }];
}

const requireNoTakeDown: Clause = {
  condition: '(attribute_not_exists(disabledBy) OR disabledBy = :by)',
  values: { ':by': 'owner' },
};

/** An update of these clauses. Two may mention the same name or value. */
function joinClauses(clauses: Clause[]): Expressions {
  const sets = clauses.flatMap(({ set }) => set ?? []);
  const removals = clauses.flatMap(({ remove }) => remove ?? []);
  const names = clauses.flatMap((clause) => Object.entries(clause.names ?? {}));
  const values = clauses.flatMap((clause) => Object.entries(clause.values ?? {}));
  return {
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
      raiseVersion,
    ].join(' '),
    ConditionExpression: clauses.flatMap(({ condition }) => condition ?? []).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names),
    ExpressionAttributeValues: { ...Object.fromEntries(values), ...versionStep },
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
 * Disables or enables any link for an operator and returns it; undefined if it doesn't exist. A tombstone
 * is disabled too, which keeps its code from everybody.
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
