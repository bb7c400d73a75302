import { marshall } from '@aws-sdk/util-dynamodb';
import { mapLines, type TextField } from '../../lib/links/link-fields.ts';
import type { DynamoDbRequest } from './dynamodb-access.ts';
import type { Item } from './items.ts';

const texts: Record<TextField, string | string[] | true> = {
  ...{ url: 'https://example.com/', expiresAt: '2026-06-26T10:00:00.000Z' },
  ...{ ...mapLines(() => 'Spring sale'), tags: ['sale'], forwardQuery: true },
};
const link = {
  ...{ PK: 'LINK#spring', SK: 'META', owner: 'ada', clicks: 0, ...texts },
  createdAt: '2026-05-26T10:00:00.000Z',
};
const campaigns = { PK: 'LINK#spring', SK: 'UTM#2026-05-26' };
const marker = { PK: 'CLICK#id-1', SK: 'CLICK', ttl: 1, validation: 'h', code: 'spring', day: 'd' };
const importMarker = { PK: 'IMPORT#ada#row-1', SK: 'IMPORT', code: 'a', validation: 'h', ttl: 1 };
export const sheet = { PK: 'CLICKS#producer#1', SK: 'CLICK' };
const linkKey = { PK: link.PK, SK: link.SK };
export const dayKey = { PK: link.PK, SK: 'STAT#2026-05-26' };
const quotaKey = { PK: 'OWNER#ada', SK: 'LINKS#2026-05-26' };
const requestsKey = { PK: 'REQUESTS#ada', SK: '29662560' };
const userConnectionsKey = { PK: 'CONNECTIONS#ada', SK: 'CONNECTIONS' };
const apiKey = { PK: 'KEY#4fZ0kQ7bXa', SK: 'KEY' };
const userApiKeys = { PK: 'KEYS#ada', SK: 'KEYS' };
const connectionKey = { PK: 'CONNECTION#c1', SK: 'CONNECTION' };

type Action = Record<string, object>;

const put = (item: Item, more = {}): Action => ({ Put: { Item: marshall(item), ...more } });
export const update = (key: Item, UpdateExpression: string, more = {}): Action => ({
  Update: { Key: marshall(key), UpdateExpression, ...more },
});
const remove = (key: Item): Action => ({ Delete: { Key: marshall(key) } });

export const transact = (...TransactItems: Action[]): DynamoDbRequest => ({
  operation: 'TransactWriteItems',
  input: { TransactItems },
});
/** The action as a single request. */
const alone = (action: Action): DynamoDbRequest => {
  const [[kind, input] = ['', {}]] = Object.entries(action);
  return { operation: `${kind}Item`, input };
};
const get = (key: Item): DynamoDbRequest => ({
  operation: 'GetItem',
  input: { Key: marshall(key) },
});
const batchGet = (...keys: Item[]): DynamoDbRequest => ({
  operation: 'BatchGetItem',
  input: { RequestItems: { t: { Keys: keys.map((key) => marshall(key)) } } },
});

const time = link.createdAt;
/** With all attributes that a new link can have. */
const newLink = { ...link, disabled: true, disabledBy: 'owner', since: time };
const deletionKey = { PK: 'DELETED', SK: `${time}#spring` };
const remains = { PK: link.PK, SK: link.SK, purgedAt: time, since: '9999' };
const named = { ExpressionAttributeNames: { '#ttl': 'ttl' } };
const onRemains = {
  ConditionExpression: 'purgedAt = :purgedAt AND attribute_exists(#ttl)',
  ...named,
};
const quota = update(quotaKey, 'SET #ttl = :ttl ADD links :one', named);
const raiseTotal = update(linkKey, 'ADD clicks :one', {
  ConditionExpression:
    'attribute_exists(PK) AND (attribute_not_exists(#b0) OR #b0 <= :at) AND (attribute_not_exists(#b1) OR #b1 >= :at)',
  ExpressionAttributeNames: { '#b0': 'since', '#b1': 'deletedAt' },
});
const disable =
  'SET disabled = :true, disabledBy = if_not_exists(disabledBy, :by), url = :url REMOVE expiresAt';

/** A function's request to the table, if any, and requests that its role must deny. */
export interface RoleRequests {
  sent?: DynamoDbRequest;
  denied: Record<string, DynamoDbRequest>;
}

/** What neither CreateLink nor ImportLinks may do. */
const notOfCreators: RoleRequests['denied'] = {
  'a quota, with the permission to count requests': alone(update(quotaKey, 'ADD requests :one')),
  'a request count that counts links': alone(update(requestsKey, 'ADD links :one')),
  'a link outside a transaction': alone(put(link)),
  'a quota outside a transaction': alone(quota),
  'a link with clicks by people': transact(put({ ...link, vh: 1 }), quota),
  "a link's day": transact(put({ ...dayKey, count: 1 }), quota),
  "a click's marker": transact(put(marker), quota),
  'a quota that is put': transact(put({ ...quotaKey, links: 0, ttl: 1 })),
  'a connection': transact(put({ ...linkKey, ...connectionKey }), quota),
  'an update of a link': transact(put(link), update(linkKey, 'ADD links :one')),
  'a total of clicks': transact(put(link), update(quotaKey, 'ADD clicks :one')),
  'the removal of a link': transact(remove(linkKey)),
  'a marker that is read': get(marker),
  'an API key with another scope': alone(update(apiKey, 'SET scope = :write')),
  'an API key that is put': transact(put(apiKey), quota),
};

/** By function. Our tests and, after a deployment, IAM's policy simulator judge them. */
export const roleRequests: Record<string, RoleRequests> = {
  CreateLink: { sent: transact(put(newLink, onRemains), quota), denied: notOfCreators },
  ImportLinks: { sent: transact(put(newLink), put(importMarker), quota), denied: notOfCreators },
  UpdateLink: {
    sent: alone(update(linkKey, disable, { ConditionExpression: 'disabledBy = :by' })),
    denied: {
      'another attribute, by a name': alone(
        update(linkKey, 'SET #0 = :ada', { ExpressionAttributeNames: { '#0': 'createdAt' } }),
      ),
      'a total of clicks': alone(update(linkKey, 'ADD clicks :one')),
      'the clicks of a day': alone(update(dayKey, 'ADD vh :one')),
      'a condition that reveals when the link was created': alone(
        update(linkKey, disable, { ConditionExpression: 'begins_with(createdAt, :guess)' }),
      ),
      'a quota': alone(update(quotaKey, disable)),
      'a link that is put': alone(put(linkKey)),
    },
  },
  DeleteLink: {
    sent: transact(
      update(linkKey, 'SET #owner = :deleted, deletedAt = :now', {
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
      }),
      put(deletionKey),
      remove(deletionKey),
    ),
    denied: {
      'a deletion outside a transaction': alone(update(linkKey, 'SET deletedAt = :now')),
      'another URL': transact(update(linkKey, 'SET url = :url')),
      'a total of clicks': transact(update(linkKey, 'ADD clicks :one')),
      'the removal of a link': transact(remove(linkKey)),
      'a link that is put': transact(put(link)),
      'a link that would expire': transact(update(linkKey, 'SET #ttl = :ttl', named)),
      'a quota': transact(update(quotaKey, 'ADD links :one')),
      'a marker that is read': get(marker),
    },
  },
  PurgeLinks: {
    sent: transact(
      put(remains, { ConditionExpression: 'deletedAt = :deletedAt' }),
      remove(dayKey),
      remove(deletionKey),
      update(linkKey, 'SET #ttl = :ttl', {
        ...{
          ConditionExpression: 'purgedAt > :deletedAt AND attribute_not_exists(#ttl)',
          ...named,
        },
      }),
    ),
    denied: {
      'a link that is put': transact(put(link)),
      'the removal of a day outside a transaction': alone(remove(dayKey)),
      'the removal of a marker': transact(remove(marker)),
      'the removal of a quota': transact(remove(quotaKey)),
      'a total of clicks': transact(update(linkKey, 'ADD clicks :one')),
      'another owner': transact(
        update(linkKey, 'SET #owner = :ada', { ExpressionAttributeNames: { '#owner': 'owner' } }),
      ),
      'a link that is read': get(linkKey),
    },
  },
  AggregateClicks: {
    sent: transact(
      put(marker),
      raiseTotal,
      update(dayKey, 'ADD vh :one'),
      update(sheet, 'SET a0 = :a0'),
      update(campaigns, 'ADD #value :one, #other :one, #set :set', {
        ConditionExpression: 'size(#set) <= :room',
        ExpressionAttributeNames: { '#value': 's=news', '#other': 'm', '#set': 'S' },
      }),
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
      'a sheet that is put': transact(put({ ...marker, ...sheet })),
      'a connection that is put': transact(put({ ...marker, ...connectionKey })),
      'a connection that is changed': transact(update(connectionKey, 'SET ttl = :ttl')),
      'a quota': transact(update(quotaKey, 'ADD clicks :one')),
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
    sent: batchGet(linkKey),
    denied: {
      'a link and a marker': batchGet(linkKey, sheet),
      'a query of a link by its key': {
        operation: 'Query',
        input: {
          KeyConditionExpression: 'PK = :pk',
          ExpressionAttributeValues: marshall({ ':pk': link.PK }),
        },
      },
    },
  },
  GetBacklog: {
    sent: alone(update(requestsKey, 'SET #ttl = :ttl ADD requests :one', named)),
    denied: {
      'a link that is read': get(linkKey),
      'a quota': alone(update(quotaKey, 'ADD links :one')),
      "a user's connections": alone(update(userConnectionsKey, 'DELETE ids :removed')),
      'a count that is removed': alone(remove(requestsKey)),
    },
  },
  ManageKeys: {
    sent: transact(
      put({ ...apiKey, user: 'ada', hash: 'h' }),
      update(userApiKeys, 'SET ids = :ids'),
    ),
    denied: {
      'a key outside a transaction': alone(put(apiKey)),
      "a key's hash that is changed": alone(update(apiKey, 'SET hash = :hash')),
      'a list of keys outside a transaction': alone(update(userApiKeys, 'SET ids = :ids')),
      'a link that is read': get(linkKey),
      'a link that is put': transact(put(link)),
      'the removal of a link': alone(remove(linkKey)),
    },
  },
  AuthorizeConnection: { denied: { 'a connection that is read': get(connectionKey) } },
  ServePage: { denied: { 'a link that is read': get(linkKey) } },
  OpenConnection: {
    sent: alone(update(userConnectionsKey, 'SET #ttl = :ttl ADD ids :added', named)),
    denied: {
      'a link that is put': alone(put(link)),
      'a total of clicks': alone(raiseTotal),
      'a connection that is changed': alone(update(connectionKey, 'SET #ttl = :ttl', named)),
      "a user's quota": alone(update(quotaKey, 'SET #ttl = :ttl ADD ids :added', named)),
      "a user's requests": alone(update(requestsKey, 'SET #ttl = :ttl', named)),
      'another attribute': alone(update(userConnectionsKey, 'ADD clicks :one')),
      'a list that is put': alone(put({ ...userConnectionsKey, ttl: 1 })),
      'a list that is removed': alone(remove(userConnectionsKey)),
      'a link that is removed': alone(remove(linkKey)),
    },
  },
  CloseConnection: {
    sent: alone(remove(connectionKey)),
    denied: { 'the removal of a link': alone(remove(linkKey)) },
  },
  WatchLinks: {
    sent: batchGet(linkKey),
    denied: {
      'a link that is put': alone(put(link)),
      'the removal of a marker': alone(remove(marker)),
    },
  },
  PushCounts: {
    sent: alone(remove(connectionKey)),
    denied: {
      'a link that is read': get(linkKey),
      'the removal of a link': alone(remove(linkKey)),
    },
  },
};
