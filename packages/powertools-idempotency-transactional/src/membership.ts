import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Increment } from './effects.ts';
import type { IncrementAction, Item } from './entry.ts';
import { groupBy } from './group-by.ts';

interface Membership extends NonNullable<Increment['memberOf']> {
  attribute: string;
  isMember: boolean;
}

const maxAttributes = 256;
const maxClauses = 128;
/** A set's own condition is as long as one on three members. */
const clausesOfSet = 3;

/**
 * Whether one update can have these increments, each of another attribute. DynamoDB accepts expressions
 * of 4 KB with 300 operators. An attribute takes 11 bytes of the update. A set's condition names at most
 * `most` attributes, each with up to 29 bytes and two operators.
 */
export function fitsUpdate(increments: ReadonlyMap<string, Increment>): boolean {
  const joining = [...increments.values()].flatMap(({ memberOf }) => memberOf ?? []);
  let clauses = 0;
  for (const own of groupBy(joining, ({ set }) => set).values()) {
    clauses += Math.min(own.length, ...own.map(({ most }) => most)) + clausesOfSet;
  }
  return increments.size <= maxAttributes && clauses <= maxClauses;
}

function membershipsOf({ increments, members }: IncrementAction): Membership[] {
  return increments.flatMap(({ attribute, memberOf }) =>
    memberOf ? [{ ...memberOf, attribute, isMember: members?.has(attribute) ?? false }] : [],
  );
}

interface AddedSet {
  /** Of the set's name and of its new members. */
  placeholder: string;
  attribute: string;
  value: AttributeValue;
}

/**
 * What adds the attributes to their sets, and the condition that each set has room for those which
 * aren't known to be members. The known ones are in the condition too: the item may have been deleted.
 */
export function describeMemberships(actions: IncrementAction[]) {
  const bySet = groupBy(actions.flatMap(membershipsOf), ({ set }) => set);
  const added: AddedSet[] = [];
  const values: [string, AttributeValue][] = [];
  const conditions: string[] = [];
  for (const [index, [set, memberships]] of [...bySet].entries()) {
    const placeholder = `s${index}`;
    const name = `#${placeholder}`;
    const all = new Set(memberships.map(({ attribute }) => attribute));
    const known = new Set(memberships.flatMap((one) => (one.isMember ? one.attribute : [])));
    const others = [...all].filter((attribute) => !known.has(attribute));
    added.push({ placeholder, attribute: set, value: { SS: [...all] } });
    const contain = (attributes: Iterable<string>) =>
      [...attributes].map((attribute) => {
        const value = `:${placeholder}_${values.length}`;
        values.push([value, { S: attribute }]);
        return `contains(${name}, ${value})`;
      });
    conditions.push(...contain(known));
    if (others.length === 0) continue;
    const room = leastMost(memberships) - others.length;
    values.push([`:r${index}`, { N: String(room) }]);
    const alternatives = [`size(${name}) <= :r${index}`];
    if (room >= 0) {
      alternatives.push(`attribute_not_exists(${name})`, `(${contain(others).join(' AND ')})`);
    }
    conditions.push(`(${alternatives.join(' OR ')})`);
  }
  return { added, values, conditions };
}

/**
 * Takes actions' attributes into the sets of an item, in their order, as long as there's room. Returns
 * the attributes that have none, by action.
 */
export function findWithoutRoom(
  item: Item,
  actions: readonly IncrementAction[],
): Map<IncrementAction, string[]> {
  const sets = new Map<string, Set<string>>();
  const bySet = groupBy(actions.flatMap(membershipsOf), ({ set }) => set);
  const mosts = new Map([...bySet].map(([set, memberships]) => [set, leastMost(memberships)]));
  const withoutRoom = new Map<IncrementAction, string[]>();
  for (const action of actions) {
    const memberships = membershipsOf(action);
    const without = memberships.filter(({ set, attribute }) => {
      const members = sets.get(set) ?? new Set(item[set]?.SS);
      sets.set(set, members);
      return !members.has(attribute) && members.size >= (mosts.get(set) ?? 0);
    });
    if (without.length > 0)
      withoutRoom.set(
        action,
        without.map(({ attribute }) => attribute),
      );
    else for (const { set, attribute } of memberships) sets.get(set)?.add(attribute);
  }
  return withoutRoom;
}

/** Whether an action adds attributes to sets. */
export function joinsSet({ increments }: IncrementAction): boolean {
  return increments.some(({ memberOf }) => memberOf !== undefined);
}

/** Of increments that share a write, the strictest bound holds. */
const leastMost = (memberships: Membership[]) => Math.min(...memberships.map(({ most }) => most));

/** The sets of an action that are something else in an item. */
export function findOtherTypes(item: Item, action: IncrementAction): string[] {
  const sets = membershipsOf(action).map(({ set }) => set);
  return sets.filter((set) => item[set] && !item[set].SS);
}

/** An action's attributes that are members in an item. Undefined if they are known already. */
export function learnMembers(item: Item, action: IncrementAction): Set<string> | undefined {
  const memberships = membershipsOf(action);
  const found = memberships.filter(({ set, attribute }) => item[set]?.SS?.includes(attribute));
  const members = new Set(found.map(({ attribute }) => attribute));
  const isKnown = memberships.every((one) => one.isMember === members.has(one.attribute));
  return isKnown ? undefined : members;
}
