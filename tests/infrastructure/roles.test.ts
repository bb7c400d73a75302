import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { describe, expect, test } from 'vitest';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import {
  campaignAttribute,
  counterAttributes,
  valueAttributes,
} from '../../lib/clicks/campaign-counters.ts';
import { type Access, isAllowed, type Statement } from '../helpers/iam.ts';
import { openStage, packaged } from './stage-template.ts';

const newLink = 'url owner createdAt clicks title tags note expiresAt forwardQuery disabled since';
const marker = 'ttl validation code day';

const creators = ['CreateLink', 'ImportLinks'];
/** The functions that may read links' items. */
const linkReaders = [...creators, 'GetOverview', 'ListLinks', 'ReplicateLinks', 'WatchLinks'];
const ofConnections = ['CloseConnection', 'OpenConnection', 'PushCounts', 'WatchLinks'];
/** The functions behind routes that also take API keys. */
const forKeys = [
  ...creators,
  'DeleteLink',
  'GetLinkStats',
  'GetOverview',
  'ListLinks',
  'UpdateLink',
];

/**
 * Accesses to the table, and the functions whose roles allow each. The other roles must deny it. An access
 * is an action, partition keys and further attributes, `tx` in a transaction.
 */
const accesses: Record<string, string[]> = {
  'Get LINK#a': [
    'DeleteLink',
    'GetLinkStats',
    'GetOverview',
    'ListLinks',
    'ResolveLink',
    'UpdateLink',
  ],
  'BatchGet LINK#a': [...linkReaders, 'AggregateClicks'],
  // The aggregator may read only the values of campaigns.
  'BatchGet LINK#a: v0 v19': [...linkReaders, 'AggregateClicks'],
  'BatchGet LINK#a: url': linkReaders,
  'BatchGet LINK#a,IMPORT#a': creators,
  'BatchGet LINK#a,IMPORT#a,OWNER#a': ['ImportLinks'],
  'BatchGet LINK#a,CLICKS#a': [],
  'Query LINK#a': ['GetLinkStats', 'GetOverview', 'PurgeLinks'],
  [`tx Put LINK#a: ${newLink}`]: creators,
  [`Put LINK#a: ${newLink}`]: [],
  [`tx Put LINK#a: ${newLink} vh`]: [],
  'tx Put LINK#a: count': [],
  'tx Put LINK#a: deletedAt purgedAt since disabled disabledBy': ['PurgeLinks'],
  // Its conditions name the owner.
  'Update LINK#a: url title disabled disabledBy': [],
  // Nothing that clicks write to may look like a change of a link, or the other way round.
  'tx Put CHANGE#a: version': [...creators, 'PurgeLinks'],
  'Put CHANGE#a: version': [],
  'tx Update CHANGE#a: version': ['DeleteLink', 'PurgeLinks', 'UpdateLink'],
  'Update CHANGE#a: version': [],
  'Get CHANGE#a': [],
  'tx Update LINK#a: url': ['UpdateLink'],
  'tx Update LINK#a: owner': ['DeleteLink', 'UpdateLink'],
  'tx Update LINK#a: disabled updatedAt': ['UpdateLink'],
  'tx Update LINK#a: owner deletedAt': ['DeleteLink'],
  'tx Update LINK#a: purgedAt ttl disabledBy': ['PurgeLinks'],
  'tx Update LINK#a: ttl': ['AggregateClicks', 'PurgeLinks'],
  'tx Update LINK#a: clicks deletedAt since': ['AggregateClicks'],
  'tx Update LINK#a: count vh utm s0 m19 co v19': ['AggregateClicks'],
  'Update LINK#a: v0': [],
  // A union with a day's visitors needs no transaction.
  'Update LINK#a: sketch': ['AggregateClicks'],
  'Update LINK#a: sketch url': [],
  'BatchGet LINK#a: sketch': [...linkReaders, 'AggregateClicks'],
  'tx ConditionCheck LINK#a: purgedAt': ['AggregateClicks', 'PurgeLinks'],
  'tx ConditionCheck LINK#a: url': [],
  'tx Update LINK#a: links': [],
  'Update LINK#a: createdAt': [],
  'Update LINK#a: clicks': [],
  'Update LINK#a: vh': [],
  'Update LINK#a: deletedAt': [],
  'tx Delete LINK#a': ['PurgeLinks'],
  'Delete LINK#a': [],
  'tx Put DELETED': ['DeleteLink'],
  'tx Delete DELETED': ['DeleteLink', 'PurgeLinks'],
  'Query DELETED': ['PurgeLinks'],

  // Whoever has the key can make the mark of an address.
  'Get VISITORS': ['ResolveLink'],
  'BatchGet VISITORS': [],
  'Query VISITORS': [],
  'Put VISITORS: key': ['ResolveLink'],
  'Update VISITORS: key': [],
  'Put VISITORS: url': [],
  'Delete VISITORS': [],

  'Get CLICK#a': [],
  'BatchGet CLICK#a,CLICKS#a': ['AggregateClicks'],
  [`tx Put CLICK#a: ${marker}`]: ['AggregateClicks'],
  [`Put CLICK#a: ${marker}`]: [],
  'tx Put CLICK#a: url': [],
  'tx Put CLICKS#a: ttl': [],
  'tx Update CLICKS#a: a0 ttl': ['AggregateClicks'],
  'Update CLICKS#a: a0 ttl': [],
  'tx Delete CLICK#a': [],

  'BatchGet SUMS#a': ['GetOverview'],
  'BatchWrite SUMS#a': ['GetOverview'],
  'BatchWrite LINK#a': [],
  'tx Delete SUMS#a': ['PurgeLinks'],

  'tx Put IMPORT#a: code validation request ttl': creators,
  'Get OWNER#a': [],
  'tx Put OWNER#a: links ttl': [],
  'tx Update OWNER#a: links ttl': creators,
  'Update OWNER#a: links ttl': [],
  'tx Update OWNER#a: clicks': [],
  'Update OWNER#a: requests': [],
  'Update OWNER#a: ids ttl': [],
  'tx Delete OWNER#a': [],
  // Every role behind a route for owners limits requests.
  'Update REQUESTS#a: requests ttl': [...forKeys, 'GetBacklog', 'ManageKeys'],
  'Update REQUESTS#a: links': [],
  'Update REQUESTS#a: ids': [],
  'Delete REQUESTS#a': [],

  'Get KEY#a': [...forKeys, 'ManageKeys'],
  'tx Put KEY#a: user hash': ['ManageKeys'],
  'Put KEY#a: user hash': [],
  'Update KEY#a: lastUsedAt': forKeys,
  'Update KEY#a: scope': [],
  'Update KEY#a: hash': [],
  'Delete KEY#a': ['ManageKeys'],
  'tx Update KEYS#a: ids ttl': ['ManageKeys'],
  'Update KEYS#a: ids': [],

  'Get CONNECTION#a': [],
  'tx Put CONNECTION#a': ['OpenConnection', 'WatchLinks'],
  'tx Update CONNECTION#a: ttl': ['WatchLinks'],
  'Update CONNECTION#a: ttl': ['WatchLinks'],
  'Delete CONNECTION#a': ofConnections,
  'Delete WATCH#a': ofConnections,
  'Put WATCH#a': ['WatchLinks'],
  'Query WATCH#a': ['PushCounts'],
  'Get CONNECTIONS': ['PushCounts'],
  'Update CONNECTIONS: ttl': ['OpenConnection'],
  'Put CONNECTIONS#a: ttl': [],
  'Update CONNECTIONS#a: ids ttl': ofConnections,
  'Update CONNECTIONS#a: clicks': [],
  'Delete CONNECTIONS#a': [],
};

/** The functions that may write items with these keys at all, whatever the attributes. */
const writers: Record<string, string[]> = {
  'CHANGE#*': [...creators, 'DeleteLink', 'PurgeLinks', 'UpdateLink'],
  'LINK#*': [...creators, 'AggregateClicks', 'DeleteLink', 'PurgeLinks', 'UpdateLink'],
  'CLICK#*': ['AggregateClicks'],
  'CLICKS#*': ['AggregateClicks'],
  DELETED: ['DeleteLink', 'PurgeLinks'],
  'OWNER#*': creators,
  'KEYS#*': ['ManageKeys'],
  'WATCH#*': ofConnections,
};

const writeAction = /^dynamodb:(Put|Update|Delete)Item$/;

/** The leading keys of the items that a statement lets a function write. */
function writtenKeys(statement: Statement): string[] {
  const isWrite = statement.Action.some((action) => writeAction.test(action));
  return isWrite && statement.Resource === 'arn:ClickTable' ? leadingKeys(statement) : [];
}

function leadingKeys({ Condition = {} }: Statement): string[] {
  const keys = Object.values(Condition).flatMap((values) => values['dynamodb:LeadingKeys'] ?? []);
  return keys.map(String);
}

/** Reads for example `tx Put LINK#a,CLICKS#a: url title`. */

function readAccess(text: string): Access {
  const pattern = /^(?<tx>tx )?(?<action>\w+) (?<keys>[^: ]+)(?:: (?<attributes>.*))?$/;
  const { tx, action, keys = '', attributes = '' } = pattern.exec(text)?.groups ?? {};
  return {
    action: `dynamodb:${action}${action === 'Query' ? '' : 'Item'}`,
    resource: 'arn:ClickTable',
    keys: {
      'dynamodb:LeadingKeys': keys.split(','),
      'dynamodb:Attributes': ['PK', 'SK', ...attributes.split(' ').filter(Boolean)],
      ...(tx && { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] }),
    },
  };
}

describe.each(packaged)('the roles of %s', async (name) => {
  const { stage, idsOf, read, environment, suffixes, roles } = await openStage(name);

  test('are not shared between functions, and trust only Lambda', () => {
    const functions = idsOf('Lambda::Function').map((id) => id.replace('LambdaFunction', ''));
    const Principal = { Service: 'lambda.amazonaws.com' };
    const Statement = [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }];

    expect(Object.keys(roles).toSorted()).toEqual(functions.toSorted());
    for (const each of functions) {
      expect(read(`${each}LambdaFunction`).Role).toBe(`arn:${each}Role`);
      expect(read(`${each}Role`).AssumeRolePolicyDocument).toMatchObject({ Statement });
      expect(read(`${each}Role`).ManagedPolicyArns).toBeUndefined();
    }
  });

  // Only a stage with a standby replicates links.
  const deployed = (functions: string[]) => new Set(functions.filter((each) => each in roles));

  /** The functions whose role's statements meet a condition. */
  const functionsWhere = (isMet: (statements: Statement[]) => boolean) =>
    new Set(Object.keys(roles).filter((each) => isMet(roles[each] ?? [])));

  test.each(Object.entries(accesses))('allow %j only to %j', (text, functions) => {
    const access = readAccess(text);

    const allowed = functionsWhere((statements) => isAllowed(statements, access));

    expect(allowed).toEqual(deployed(functions));
  });

  test.each(Object.entries(writers))('let %s be written only by %j', (key, functions) => {
    const allowed = functionsWhere((statements) => statements.flatMap(writtenKeys).includes(key));

    expect(allowed).toEqual(new Set(functions));
  });

  const queues = suffixes.map((suffix) => `arn:ClickQueue${suffix}`);
  const live = `arn:aws:execute-api:us-east-1:123456789012:WebsocketsApi/${stage}`;
  const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
    (action) => `dynamodb:${action}`,
  );
  const readsStream = `${streamActions} on stream:ClickTable`;
  const queriesOwners = 'dynamodb:Query on arn:ClickTable/index/LinksByOwner';
  /** The statements of some functions about something other than items, logs and traces. */
  const grantsBeyondTable: Record<string, string[]> = {
    ListLinks: [queriesOwners],
    ResolveLink: [
      'events:PutEvents on arn:ClickBus',
      // Without the bus, it spreads clicks over all queues.
      `sqs:SendMessage on ${name === 'prod-with-edge' ? queues : 'arn:ClickQueue'}`,
    ],
    GetOverview: [queriesOwners],
    GetBacklog: [
      'sqs:GetQueueAttributes on arn:ClickDLQ,arn:ClickRuleDLQ',
      `sqs:GetQueueAttributes on ${queues}`,
    ],
    AggregateClicks: [
      `sqs:ReceiveMessage,sqs:DeleteMessage,sqs:GetQueueAttributes on ${queues}`,
      'sqs:SendMessage on arn:ClickDLQ',
    ],
    PushCounts: [readsStream, `execute-api:ManageConnections on ${live}/POST/@connections/*`],
    ReplicateLinks: [
      readsStream,
      'dynamodb:PutItem on arn:aws:dynamodb:us-west-2:123456789012:table/click-tally-standby-prod',
      'sqs:SendMessage on arn:ReplicationDLQ',
    ],
    WatchLinks: [
      `execute-api:ManageConnections on ${live}/POST/@connections/*`,
      `execute-api:ManageConnections on ${live}/DELETE/@connections/*`,
    ],
  };

  test.each(Object.entries(roles))('limit %s to named actions and items', (each, statements) => {
    const ofTable = statements.filter(({ Resource }) => Resource === 'arn:ClickTable');
    const isTraced = environment(each).POWERTOOLS_TRACE_ENABLED === 'true';

    const rest = statements.filter((statement) => !ofTable.includes(statement));
    expect(new Set(rest.map(({ Action, Resource }) => `${Action} on ${Resource}`))).toEqual(
      new Set([
        `logs:CreateLogStream,logs:PutLogEvents on arn:${each}LogGroup:*`,
        ...(isTraced ? ['xray:PutTraceSegments,xray:PutTelemetryRecords on *'] : []),
        ...(grantsBeyondTable[each] ?? []),
      ]),
    );
    expect(new Set(statements.map(({ Effect }) => Effect))).toEqual(new Set(['Allow']));
    for (const statement of ofTable) {
      const keys = leadingKeys(statement);
      expect(statement.Action.join()).not.toContain('*');
      expect(keys).not.toEqual([]);
      for (const key of keys) expect(key).toMatch(/^([A-Z]+#\*|CONNECTIONS|DELETED|VISITORS)$/);
    }
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    // The tenth is for the ARNs, which are longer than logical ids.
    expect(JSON.stringify(statements).length).toBeLessThan(10_240 * 0.9);
  });

  test.each([
    ['LINK#a', breakdowns.flatMap(({ attributes }) => Object.values(attributes))],
    ['LINK#a', [...counterAttributes, ...valueAttributes, campaignAttribute]],
    ['CLICKS#a', Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot))],
  ])('let the aggregator set each breakdown or slot of %s', (key, attributes) => {
    const isDenied = (attribute: string) =>
      !isAllowed(roles.AggregateClicks ?? [], readAccess(`tx Update ${key}: ${attribute}`));

    expect(attributes.length).toBeGreaterThan(70);
    // A new breakdown needs its attributes in infra/roles.yml.
    expect(attributes.filter(isDenied)).toEqual([]);
  });
});
