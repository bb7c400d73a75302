import { LRUCache } from 'lru-cache';
import { CommitDeadlineError, type Write } from 'powertools-idempotency-transactional';
import { commitWrites } from '../dynamodb/requests.ts';
import type { TransactionalTable } from '../dynamodb/table.ts';
import { campaignValuesKey, linkKey } from '../keys.ts';
import { humanAttribute } from './breakdowns.ts';
import { type Campaign, campaignParameters, type Parameter } from './campaign.ts';
import {
  chooseCounters,
  maxValues,
  readValues,
  valueAttribute,
  valueAttributes,
} from './campaign-counters.ts';
import type { Click, NumberedClick } from './click.ts';
import { ClicksByDay, DayItems, dayTimeoutMs } from './link-days.ts';

/** Each has at most 2.5 KB of values. */
const maxKnownDays = 2_000;

const readAttributes = { ProjectionExpression: ['PK', 'SK', ...valueAttributes].join(', ') };

type Key = ReturnType<typeof campaignValuesKey>;
/** A day's values of each parameter, by their numbers. Absent if they haven't been read. */
type Values = { readonly [Name in Parameter]?: readonly string[] };

/**
 * Numbers the values of campaigns. On a link's day, each parameter's first 20 values get a number. It's
 * stored before the first click with it is counted, and never changes. An environment remembers the
 * values, so it reads them once, writes only new ones, and sends nothing once a day is full.
 */
export class CampaignValues {
  readonly #table: TransactionalTable;
  // A purge deletes numbers after 90 days. No environment lives as long.
  readonly #known = new LRUCache<string, Values>({ max: maxKnownDays });
  readonly #days = new ClicksByDay(idOfDay, (clicks: Click[], deadlineMs) =>
    this.#numberDay(clicks, deadlineMs),
  );
  readonly #items: DayItems;

  constructor(table: TransactionalTable) {
    this.#table = table;
    this.#items = new DayItems(table, readAttributes);
  }

  /**
   * Chooses the attributes that count a click's campaign. The clicks of a batch share requests, and no
   * request is made after the deadline, in epoch milliseconds.
   */
  async numberValues(click: Click, deadlineMs: number): Promise<NumberedClick> {
    const { campaign, ...counted } = click;
    if (Object.keys(campaign).length === 0) return { ...counted, counters: [] };
    const values = await this.#days.handle(click, deadlineMs);
    const isByPerson = click.breakdowns.includes(humanAttribute);
    return { ...counted, counters: chooseCounters(findNumbers(campaign, values), isByPerson) };
  }

  async #numberDay(clicks: Click[], deadlineMs: number): Promise<Values> {
    const [first] = clicks;
    if (!first) return {};
    if (Date.now() >= deadlineMs) throw lateError();
    const { code, day } = first;
    const isSent = (name: Parameter) => clicks.some(({ campaign }) => campaign[name] !== undefined);
    const known = this.#known.get(idOfDay(first)) ?? {};
    const unread = campaignParameters.filter((name) => isSent(name) && !known[name]);
    const read = await this.#readValues(code, day, unread);
    const values = await this.#addValues(code, day, clicks, { ...known, ...read });
    this.#known.set(idOfDay(first), values);
    return values;
  }

  async #readValues(code: string, day: string, names: Parameter[]): Promise<Values> {
    const values = names.map(async (name) => {
      const item = await this.#items.read(campaignValuesKey(code, day, name));
      return [name, readValues(item)];
    });
    return Object.fromEntries(await Promise.all(values));
  }

  // Another environment may have taken the same numbers. Then its values are learned, and the rest gets
  // the next ones. A link that doesn't exist gets no values: the click's commit says why.
  async #addValues(code: string, day: string, clicks: Click[], known: Values): Promise<Values> {
    const deadlineMs = Date.now() + dayTimeoutMs;
    let values = known;
    for (;;) {
      const added = campaignParameters.flatMap((name) => {
        const fresh = listNew(clicks, name, values[name] ?? []);
        return fresh.length > 0 ? [{ name, fresh, first: values[name]?.length ?? 0 }] : [];
      });
      if (added.length === 0) return values;
      const writes = added.map(({ name, fresh, first }) =>
        storeNumbers(campaignValuesKey(code, day, name), fresh, first),
      );
      const rejection = await commitWrites(this.#table, [requireLink(code), ...writes], deadlineMs);
      if (rejection?.key.SK === linkKey(code).SK) return values;
      const names = added.map(({ name }) => name);
      const learned = rejection
        ? await this.#readValues(code, day, names)
        : Object.fromEntries(
            added.map(({ name, fresh }) => [name, [...(values[name] ?? []), ...fresh]]),
          );
      values = { ...values, ...learned };
    }
  }
}

const lateError = () =>
  new CommitDeadlineError(
    "expected time to store a campaign's values; got none before the deadline",
  );

const idOfDay = ({ code, day }: Click) => `${code} ${day}`;

/** The values of a parameter that have no number yet, as far as there's room. */
function listNew(clicks: Click[], name: Parameter, values: readonly string[]): string[] {
  const sent = new Set(clicks.flatMap(({ campaign }) => campaign[name] ?? []));
  const fresh = [...sent].filter((value) => !values.includes(value));
  return fresh.slice(0, maxValues - values.length);
}

function findNumbers(campaign: Campaign, values: Values) {
  const numbers = campaignParameters.flatMap((name) => {
    const value = campaign[name];
    if (value === undefined) return [];
    const number = values[name]?.indexOf(value) ?? -1;
    return [[name, number === -1 ? 'other' : number]];
  });
  return Object.fromEntries(numbers);
}

/** Numbers are taken in their order, so if the first is free, the others are too. */
function storeNumbers(Key: Key, fresh: string[], first: number): Write {
  const settings = fresh.map((_, index) => `${valueAttribute(first + index)} = :v${index}`);
  return {
    Update: {
      Key,
      UpdateExpression: `SET ${settings.join(', ')}`,
      ConditionExpression: `attribute_not_exists(${valueAttribute(first)})`,
      ExpressionAttributeValues: Object.fromEntries(
        fresh.map((value, index) => [`:v${index}`, value]),
      ),
    },
  };
}

/** A link that was purged has lost its days, and must not get new ones. */
function requireLink(code: string): Write {
  const ConditionExpression = 'attribute_exists(PK) AND attribute_not_exists(purgedAt)';
  return { ConditionCheck: { Key: linkKey(code), ConditionExpression } };
}
