import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { slotAttribute, slotsPerPage } from '../../lib/idempotency/index.ts';
import { type DynamoDbRequest, readAccesses } from '../helpers/dynamodb-access.ts';
import { isAllowed, type Statement } from '../helpers/iam.ts';
import type { Item } from '../helpers/items.ts';
import { readRole } from '../helpers/roles.ts';
import { packageDirOf } from './stage-template.ts';

const link = {
  ...{ PK: 'LINK#spring', SK: 'META', url: 'https://example.com/', owner: 'ada', clicks: 0 },
  ...{ createdAt: '2026-05-26T10:00:00.000Z', creationId: 'c1' },
};
const marker = { PK: 'CLICK#id-1', SK: 'CLICK', ttl: 1, validation: 'h', code: 'spring', day: 'd' };
const page = { PK: 'CLICKS#producer#1', SK: 'CLICK' };
const linkKey = { PK: link.PK, SK: link.SK };
const dayKey = { PK: link.PK, SK: 'STAT#2026-05-26' };
const quotaKey = { PK: 'OWNER#ada', SK: 'LINKS#2026-05-26' };
const connectionKey = { PK: 'CONNECTION#c1', SK: 'CONNECTION' };

type Action = Record<string, object>;

const put = (item: Item, more = {}): Action => ({ Put: { Item: marshall(item), ...more } });
const update = (key: Item, UpdateExpression: string, more = {}): Action => ({
  Update: { Key: marshall(key), UpdateExpression, ...more },
});
const remove = (key: Item): Action => ({ Delete: { Key: marshall(key) } });

const transact = (...TransactItems: Action[]): DynamoDbRequest => ({
  operation: 'TransactWriteItems',
  input: { TransactItems },
});
/** The action as a request of its own. */
const alone = (action: Action): DynamoDbRequest => {
  const [[kind, input] = ['', {}]] = Object.entries(action);
  return { operation: `${kind}Item`, input };
};
const get = (key: Item): DynamoDbRequest => ({
  operation: 'GetItem',
  input: { Key: marshall(key) },
});

const quota = update(quotaKey, 'SET #ttl = :ttl ADD links :one', {
  ExpressionAttributeNames: { '#ttl': 'ttl' },
});
const raiseTotal = update(linkKey, 'ADD clicks :one', {
  ConditionExpression: 'attribute_exists(PK)',
});
const disable = 'SET disabled = :true, disabledBy = if_not_exists(disabledBy, :by)';

/** Requests of each function, and such as differ from them in what the function must not do. */
const requests: Record<string, { sent: DynamoDbRequest; denied: Record<string, DynamoDbRequest> }> =
  {
    CreateLink: {
      sent: transact(put(link), quota),
      denied: {
        'a link outside a transaction': alone(put(link)),
        'a quota outside a transaction': alone(quota),
        'a link that is disabled': transact(put({ ...link, disabled: true }), quota),
        "a link's day": transact(put({ ...dayKey, count: 1 }), quota),
        'a marker': transact(put(marker), quota),
        'an item of the quota that is put': transact(put({ ...quotaKey, links: 0, ttl: 1 })),
        'a connection': transact(put({ ...linkKey, ...connectionKey }), quota),
        'an update of a link': transact(put(link), update(linkKey, 'ADD links :one')),
        'a total of clicks': transact(put(link), update(quotaKey, 'ADD clicks :one')),
        'the removal of a link': transact(remove(linkKey)),
        'a marker that is read': get(marker),
      },
    },
    UpdateLink: {
      sent: alone(update(linkKey, disable, { ConditionExpression: 'disabledBy = :by' })),
      denied: {
        'another URL': alone(update(linkKey, `${disable}, url = :url`)),
        'another attribute, by a name': alone(
          update(linkKey, 'SET #0 = :ada', { ExpressionAttributeNames: { '#0': 'creationId' } }),
        ),
        'a total of clicks': alone(update(linkKey, 'ADD clicks :one')),
        'the clicks of a day': alone(update(dayKey, 'ADD vh :one')),
        'a condition that tells what the URL is': alone(
          update(linkKey, disable, { ConditionExpression: 'begins_with(url, :guess)' }),
        ),
        'a quota': alone(update(quotaKey, disable)),
        'a link that is put': alone(put(linkKey)),
      },
    },
    AggregateClicks: {
      sent: transact(
        put(marker),
        raiseTotal,
        update(dayKey, 'ADD vh :one'),
        update(page, 'SET a0 = :a0'),
      ),
      denied: {
        'an increment outside a transaction': alone(raiseTotal),
        'a marker outside a transaction': alone(put(marker)),
        'another URL': transact(put(marker), update(linkKey, 'SET url = :url')),
        'another owner': transact(
          put(marker),
          update(linkKey, 'SET #owner = :ada', { ExpressionAttributeNames: { '#owner': 'owner' } }),
        ),
        'a link that is enabled': transact(put(marker), update(linkKey, 'REMOVE disabled')),
        'a link that is put': transact(put(link)),
        'a marker with a URL': transact(put({ ...marker, url: 'https://example.com/' })),
        'a page that is put': transact(put({ ...marker, ...page })),
        'a connection that is put': transact(put({ ...marker, ...connectionKey })),
        'a connection that is changed': transact(update(connectionKey, 'SET ttl = :ttl')),
        'a quota': transact(update(quotaKey, 'ADD clicks :one')),
        'the backlog': transact(update({ PK: 'BACKLOG', SK: 'BACKLOG' }, 'SET ttl = :ttl')),
        'the removal of a marker': transact(remove(marker)),
        'a link that is read': get(linkKey),
      },
    },
    ResolveLink: {
      sent: get(linkKey),
      denied: { 'a marker that is read': get(marker), 'a quota that is read': get(quotaKey) },
    },
    GetLinkStats: {
      sent: {
        operation: 'TransactGetItems',
        input: { TransactItems: [{ Get: { Key: marshall(linkKey) } }] },
      },
      denied: { 'a connection that is read': get(connectionKey), 'a write': alone(raiseTotal) },
    },
    ListLinks: {
      sent: {
        operation: 'BatchGetItem',
        input: { RequestItems: { t: { Keys: [marshall(linkKey)] } } },
      },
      denied: {
        'a link and a marker': {
          operation: 'BatchGetItem',
          input: { RequestItems: { t: { Keys: [marshall(linkKey), marshall(page)] } } },
        },
        'a link of the table by its key': {
          operation: 'Query',
          input: {
            KeyConditionExpression: 'PK = :pk',
            ExpressionAttributeValues: marshall({ ':pk': link.PK }),
          },
        },
      },
    },
  };

describe.each(Object.entries(requests))('the role of %s', (name, { sent, denied }) => {
  let role: Statement[];

  beforeAll(async () => {
    role = await readRole(packageDirOf('prod'), `${name}Role`);
  });

  const allows = (request: DynamoDbRequest) =>
    readAccesses(request).every((access) => isAllowed(role, access));

  test('allows what it sends', () => {
    expect(allows(sent)).toBe(true);
  });

  test.each(Object.entries(denied))('denies %s', (_, request) => {
    expect(allows(request)).toBe(false);
  });
});

describe('the aggregator may set', async () => {
  const counted = breakdowns.flatMap(({ attributes }) => Object.values(attributes));
  const slots = Array.from({ length: slotsPerPage }, (_, slot) => slotAttribute(slot));

  test.each([
    ['each breakdown of a day', dayKey, counted],
    ['each slot of a page', page, slots],
  ])('%s', async (_, key, attributes) => {
    const role = await readRole(packageDirOf('prod'), 'AggregateClicksRole');
    const isDenied = (attribute: string) => {
      const accesses = readAccesses(transact(update(key, `SET ${attribute} = :value`)));
      return !accesses.every((access) => isAllowed(role, access));
    };

    expect(attributes.length).toBeGreaterThan(70);
    // If a new breakdown is here, infra/roles.yml lacks its attributes.
    expect(attributes.filter(isDenied)).toEqual([]);
  });
});
