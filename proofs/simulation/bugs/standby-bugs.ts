import type * as aggregatorConfigModule from '../../../lib/clicks/aggregator-config.ts';
import type * as requestsModule from '../../../lib/dynamodb/requests.ts';
import type * as replicateModule from '../../../lib/standby/replicate-links.ts';
import type * as standbyLinkModule from '../../../lib/standby/standby-link.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inAggregatorConfig = inModule<typeof aggregatorConfigModule>(
  'lib/clicks/aggregator-config.ts',
);
const inRequests = inModule<typeof requestsModule>('lib/dynamodb/requests.ts');
const inReplication = inModule<typeof replicateModule>('lib/standby/replicate-links.ts');
const inStandbyLink = inModule<typeof standbyLinkModule>('lib/standby/standby-link.ts');

/** Bugs between the home Region's links and the standby's. */
export const standbyBugs: PlantedBug[] = [
  {
    name: 'a late write replaces a newer one',
    kind: 'undone',
    world: 22,
    changes: [
      inStandbyLink('updateStandbyLink', ({ updateStandbyLink }) => (table, code, link) => {
        const send = (put: { input: object }, options: object) => {
          const input = { ConditionExpression: undefined, ExpressionAttributeValues: undefined };
          Object.assign(put.input, input);
          return table.client.send(put as never, options);
        };
        return updateStandbyLink({ ...table, client: { send } as never }, code, link);
      }),
    ],
  },
  {
    name: 'a link is replicated before its change can be read',
    kind: 'diverged',
    world: 8,
    changes: [
      inReplication('replicateLinks', ({ replicateLinks }) => (regions, changes) => {
        return replicateLinks(
          regions,
          changes.map((change) => ({ ...change, version: 0 })),
        );
      }),
    ],
  },
  {
    name: 'a link that could not be replicated is done',
    kind: 'diverged',
    world: 123,
    changes: [
      inReplication('replicateLinks', ({ replicateLinks }) => async (regions, changes) => {
        await replicateLinks(regions, changes);
        return new Map();
      }),
    ],
  },
  {
    name: 'a write without proof is done',
    kind: 'diverged',
    world: 60,
    changes: [
      inStandbyLink('updateStandbyLink', ({ updateStandbyLink }) => async (table, code, link) => {
        try {
          return await updateStandbyLink(table, code, link);
        } catch (error) {
          if (Object(error).name === 'WriteUnprovenError') return true;
          throw error;
        }
      }),
    ],
  },
  {
    name: 'a take-down is not replicated',
    kind: 'invented',
    world: 22,
    changes: [
      inStandbyLink('toStandbyLink', ({ toStandbyLink }) => (stored) => {
        const { disabled: _disabled, ...link } = toStandbyLink(stored);
        return link;
      }),
    ],
  },
  {
    name: 'the standby gets the whole link',
    kind: 'overreach',
    world: 22,
    changes: [
      inStandbyLink('toStandbyLink', ({ toStandbyLink }) => (stored) => {
        return { ...stored, ...toStandbyLink(stored) };
      }),
    ],
  },
  {
    name: 'a deletion is not announced',
    kind: 'diverged',
    world: 2,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const isDeletion = writes.some(({ Put }) => Object(Put?.Item).PK === 'DELETED');
        const others = writes.filter(({ Update }) => {
          return !/^CHANGE#/.test(String(Object(Update?.Key).PK));
        });
        return commitWrites(table, isDeletion ? others : writes, deadlineMs);
      }),
    ],
  },
  {
    name: 'a tombstone has version 1',
    kind: 'diverged',
    world: 2,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const isPurge = writes.some(({ Put }) => Object(Put?.Item).purgedAt !== undefined);
        for (const { Put } of writes) {
          if (isPurge && Put) Object.assign(Put.Item, { version: 1 });
        }
        return commitWrites(table, writes, deadlineMs);
      }),
    ],
  },
  {
    name: "a new link's versions start at 1",
    kind: 'misled',
    world: 123,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const isCreation = writes.some(({ Put }) => Object(Put?.Item).createdAt !== undefined);
        for (const { Put } of writes) {
          if (isCreation && Put) Object.assign(Put.Item, { version: 1 });
        }
        return commitWrites(table, writes, deadlineMs);
      }),
    ],
  },
  {
    name: "a marker's life leaves out the standby's bus",
    kind: 'short marker',
    world: 22,
    changes: [
      inAggregatorConfig('readAggregatorConfig', ({ readAggregatorConfig }) => (environment) => {
        const day = 86_400;
        const { markerTtlSeconds, ...config } = readAggregatorConfig(environment);
        const isLonger = Number(process.env.BUS_RETRY_SECONDS) > day;
        return { ...config, markerTtlSeconds: markerTtlSeconds - (isLonger ? day : 0) };
      }),
    ],
  },
];
