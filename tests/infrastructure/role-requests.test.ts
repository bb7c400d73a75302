import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { type Access, isAllowed } from '../helpers/iam.ts';
import { readRole } from '../helpers/roles.ts';
import { openStage, packageDirOf } from './stage-template.ts';

const newLink = 'url owner createdAt clicks title tags note expiresAt forwardQuery disabled since';
const marker = 'ttl validation code day';

/** Accesses to the table: `tx` in a transaction, an action, partition keys and further attributes. */
const accesses = [
  'Get LINK#a',
  'Get CLICK#a',
  'Get OWNER#a',
  'Get CONNECTION#a',
  'Get KEY#a',
  'BatchGet LINK#a',
  'BatchGet CLICK#a,CLICKS#a',
  'BatchGet LINK#a,CLICKS#a',
  'BatchGet LINK#a,IMPORT#a,OWNER#a',
  'Query LINK#a',
  `tx Put LINK#a: ${newLink}`,
  `Put LINK#a: ${newLink}`,
  `tx Put LINK#a: ${newLink} vh`,
  'tx Put LINK#a: count',
  'tx Put LINK#a: deletedAt purgedAt since',
  'tx Put CONNECTION#a',
  'tx Put OWNER#a: links ttl',
  'tx Put KEY#a: user hash',
  'Put KEY#a: user hash',
  `tx Put CLICK#a: ${marker}`,
  `Put CLICK#a: ${marker}`,
  'tx Put CLICK#a: url',
  'tx Put CLICKS#a: ttl',
  'tx Put IMPORT#a: code validation ttl',
  'tx Put DELETED',
  'Put CONNECTIONS#a: ttl',
  'tx Update OWNER#a: links ttl',
  'Update OWNER#a: links ttl',
  'tx Update OWNER#a: clicks',
  'Update OWNER#a: requests',
  'Update OWNER#a: ids ttl',
  'Update REQUESTS#a: requests ttl',
  'Update REQUESTS#a: links',
  'Update REQUESTS#a: ids',
  'Update KEY#a: lastUsedAt',
  'Update KEY#a: scope',
  'Update KEY#a: hash',
  'tx Update KEYS#a: ids ttl',
  'Update KEYS#a: ids',
  'Update LINK#a: url title disabled disabledBy',
  'Update LINK#a: createdAt',
  'Update LINK#a: clicks',
  'Update LINK#a: vh',
  'Update LINK#a: deletedAt',
  'tx Update LINK#a: clicks deletedAt since',
  'tx Update LINK#a: count vh s=news S',
  'tx Update LINK#a: url',
  'tx Update LINK#a: owner',
  'tx Update LINK#a: disabled',
  'tx Update LINK#a: owner deletedAt',
  'tx Update LINK#a: ttl',
  'tx Update LINK#a: purgedAt deletedAt ttl',
  'tx Update LINK#a: links',
  'tx Update CLICKS#a: a0 ttl',
  'Update CLICKS#a: a0 ttl',
  'tx Update CONNECTION#a: ttl',
  'Update CONNECTION#a: ttl',
  'Update CONNECTIONS#a: ids ttl',
  'Update CONNECTIONS#a: clicks',
  'tx Delete LINK#a',
  'Delete LINK#a',
  'tx Delete DELETED',
  'tx Delete CLICK#a',
  'tx Delete OWNER#a',
  'Delete REQUESTS#a',
  'Delete CONNECTION#a',
  'Delete CONNECTIONS#a',
  'Delete KEY#a',
];

function readAccess(text: string): Access {
  const [, tx, action, keys = '', names = ''] =
    /^(tx )?(\w+) ([^: ]+)(?:: (.*))?$/.exec(text) ?? [];
  return {
    ...{
      action: `dynamodb:${action}${action === 'Query' ? '' : 'Item'}`,
      resource: 'arn:ClickTable',
    },
    keys: {
      'dynamodb:LeadingKeys': keys.split(','),
      'dynamodb:Attributes': ['PK', 'SK', ...names.split(' ').filter(Boolean)],
      ...(tx && { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] }),
    },
  };
}

// Every role behind a route for owners limits requests. Those for API keys also check keys.
const limitsRequests = ['Update REQUESTS#a: requests ttl'];
const forOwners = [...limitsRequests, 'Get KEY#a', 'Update KEY#a: lastUsedAt'];
const createsLinks = [...forOwners, `tx Put LINK#a: ${newLink}`, 'tx Update OWNER#a: links ttl'];
const closesConnections = ['Delete CONNECTION#a', 'Update CONNECTIONS#a: ids ttl'];

/** The accesses that each role allows. It must deny the others. */
const allowed: Record<string, string[]> = {
  CreateLink: [...createsLinks, 'Get LINK#a'],
  ImportLinks: [
    ...createsLinks,
    'tx Put IMPORT#a: code validation ttl',
    'BatchGet LINK#a',
    'BatchGet LINK#a,IMPORT#a,OWNER#a',
  ],
  ListLinks: [...forOwners, 'Get LINK#a', 'BatchGet LINK#a'],
  // Its conditions name the owner.
  UpdateLink: [
    ...forOwners,
    'Update LINK#a: url title disabled disabledBy',
    'tx Update LINK#a: url',
    'tx Update LINK#a: owner',
    'tx Update LINK#a: disabled',
  ],
  DeleteLink: [
    ...forOwners,
    'Get LINK#a',
    'tx Put DELETED',
    'tx Delete DELETED',
    'tx Update LINK#a: owner',
    'tx Update LINK#a: owner deletedAt',
  ],
  PurgeLinks: [
    'Query LINK#a',
    'tx Put LINK#a: deletedAt purgedAt since',
    'tx Update LINK#a: ttl',
    'tx Update LINK#a: purgedAt deletedAt ttl',
    'tx Delete LINK#a',
    'tx Delete DELETED',
  ],
  ResolveLink: ['Get LINK#a'],
  GetLinkStats: [...forOwners, 'Get LINK#a', 'Query LINK#a'],
  ManageKeys: [
    ...limitsRequests,
    'Get KEY#a',
    'tx Put KEY#a: user hash',
    'tx Update KEYS#a: ids ttl',
    'Delete KEY#a',
  ],
  GetBacklog: limitsRequests,
  AggregateClicks: [
    'BatchGet CLICK#a,CLICKS#a',
    `tx Put CLICK#a: ${marker}`,
    'tx Update LINK#a: clicks deletedAt since',
    'tx Update LINK#a: count vh s=news S',
    'tx Update LINK#a: ttl',
    'tx Update CLICKS#a: a0 ttl',
  ],
  ServePage: [],
  AuthorizeConnection: [],
  OpenConnection: [...closesConnections, 'tx Put CONNECTION#a'],
  CloseConnection: closesConnections,
  WatchLinks: [
    ...closesConnections,
    'BatchGet LINK#a',
    'tx Put CONNECTION#a',
    'tx Update CONNECTION#a: ttl',
    'Update CONNECTION#a: ttl',
  ],
  PushCounts: closesConnections,
};

const { idsOf } = await openStage('dev');
const roleIds = idsOf('IAM::Role').filter((id) => id !== 'BackupRole');

const decide = async (roleId: string) => {
  const role = await readRole(packageDirOf('dev'), roleId);
  return (access: string) => isAllowed(role, readAccess(access));
};

test.each(roleIds)('%s allows what its function does, and denies all else', async (roleId) => {
  const allows = await decide(roleId);

  const expected = allowed[roleId.replace(/Role$/, '')];
  expect(accesses.filter(allows).toSorted()).toEqual(expected?.toSorted());
});

test.each([
  ['LINK#a', breakdowns.flatMap(({ attributes }) => Object.values(attributes))],
  ['CLICKS#a', Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot))],
])('the aggregator may set each breakdown or slot of %s', async (key, attributes) => {
  const allows = await decide('AggregateClicksRole');

  expect(attributes.length).toBeGreaterThan(70);
  // A new breakdown needs its attributes in infra/roles.yml.
  const isDenied = (name: string) => !allows(`tx Update ${key}: ${name}`);
  expect(attributes.filter(isDenied)).toEqual([]);
});
