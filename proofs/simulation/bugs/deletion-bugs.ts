import type * as requestsModule from '../../../lib/dynamodb/requests.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inRequests = inModule<typeof requestsModule>('lib/dynamodb/requests.ts');

/** Bugs in the deletion of links. */
export const deletionBugs: PlantedBug[] = [
  {
    name: 'a repeated deletion is later',
    kind: 'life',
    world: 84,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const isDeletion = writes.some(({ Put }) => Object(Put?.Item).PK === 'DELETED');
        for (const { Update } of writes) {
          if (!isDeletion || Update?.ExpressionAttributeValues?.[':to'] === undefined) continue;
          const ConditionExpression = `${Update.ConditionExpression} OR #owner = :to`;
          Object.assign(Update, { ConditionExpression });
        }
        return commitWrites(table, writes, deadlineMs);
      }),
    ],
  },
  {
    name: 'a deletion is not remembered',
    kind: 'life',
    world: 44,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const others = writes.filter(({ Put }) => Object(Put?.Item).PK !== 'DELETED');
        return commitWrites(table, others, deadlineMs);
      }),
    ],
  },
  {
    name: 'a code is free before its days are gone',
    kind: 'life',
    world: 44,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const others = writes.filter((write) => {
          return !/^LINK#/.test(String(Object(write.Delete?.Key).PK));
        });
        return commitWrites(table, others, deadlineMs);
      }),
    ],
  },
];
