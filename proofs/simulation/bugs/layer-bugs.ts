import type * as boundsModule from '../../../packages/powertools-idempotency-transactional/src/bounds.ts';
import type * as cancellationModule from '../../../packages/powertools-idempotency-transactional/src/cancellation.ts';
import type * as deliveryModule from '../../../packages/powertools-idempotency-transactional/src/delivery.ts';
import type * as readMarkerModule from '../../../packages/powertools-idempotency-transactional/src/read-marker.ts';
import type * as sendModule from '../../../packages/powertools-idempotency-transactional/src/send.ts';
import type * as transactionModule from '../../../packages/powertools-idempotency-transactional/src/transaction.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const src = 'packages/powertools-idempotency-transactional/src';
const inBounds = inModule<typeof boundsModule>(`${src}/bounds.ts`);
const inCancellation = inModule<typeof cancellationModule>(`${src}/cancellation.ts`);
const inDelivery = inModule<typeof deliveryModule>(`${src}/delivery.ts`);
const inReadMarker = inModule<typeof readMarkerModule>(`${src}/read-marker.ts`);
const inSend = inModule<typeof sendModule>(`${src}/send.ts`);
const inTransaction = inModule<typeof transactionModule>(`${src}/transaction.ts`);

/** Bugs in the package's layer. */
export const layerBugs: PlantedBug[] = [
  {
    name: 'a conflict is taken for a duplicate',
    kind: 'lost',
    world: 82,
    changes: [
      inCancellation('readCancellation', ({ readCancellation }) => (transaction, ...rest) => {
        const cancellation = readCancellation(transaction, ...rest);
        const outcomes = new Map(cancellation.outcomes);
        for (const entry of cancellation.contended) {
          outcomes.set(entry, { kind: 'duplicate', payloadHash: entry.payloadHash });
        }
        return { ...cancellation, outcomes, contended: new Set() };
      }),
    ],
  },
  {
    name: 'the hash of the payload is ignored',
    kind: 'lost',
    world: 54,
    changes: [
      inReadMarker('readMarker', ({ readMarker }) => (...args) => {
        const reading = readMarker(...args);
        for (const [{ payloadHash }, outcome] of reading.outcomes ?? []) {
          if ('payloadHash' in outcome) Object.assign(outcome, { payloadHash });
        }
        return reading;
      }),
      inReadMarker('readSheet', ({ readSheet }) => (...args) => {
        const reading = readSheet(...args);
        for (const [{ payloadHash }, outcome] of reading.outcomes ?? []) {
          if ('payloadHash' in outcome) Object.assign(outcome, { payloadHash });
        }
        return reading;
      }),
    ],
  },
  {
    name: 'a lost answer is taken for a commit',
    kind: 'lost',
    world: 26,
    changes: [
      inSend('sendTransaction', ({ sendTransaction }) => async (...args) => {
        try {
          await sendTransaction(...args);
        } catch (error) {
          if (!/Abort|ECONNRESET/.test(String(error))) throw error;
        }
      }),
    ],
  },
  {
    name: 'each instance numbers its request tokens',
    kind: 'needless failure',
    world: 82,
    changes: [
      inSend('sendTransaction', ({ sendTransaction }) => {
        const numbers = new Map<string, string>();
        return (client, transaction, token, deadlineMs) => {
          const numbered = numbers.get(token) ?? `token-${numbers.size}`;
          numbers.set(token, numbered);
          return sendTransaction(client, transaction, numbered, deadlineMs);
        };
      }),
    ],
  },
  {
    name: 'the marker is written before the work',
    kind: 'sums',
    world: 43,
    changes: [
      inSend(
        'sendTransaction',
        ({ sendTransaction }) =>
          async (client, transaction, token, deadlineMs) => {
            for (const isWork of [false, true]) {
              const isPart = (_: unknown, index: number) =>
                (transaction.actions[index]?.kind === 'increment') === isWork;
              const actions = transaction.actions.filter(isPart);
              const items = transaction.items.filter(isPart);
              const part = { ...transaction, actions, items };
              const ownToken = `${token.slice(1)}${isWork ? 1 : 0}`;
              if (actions.length > 0) await sendTransaction(client, part, ownToken, deadlineMs);
            }
          },
      ),
    ],
  },
  {
    name: "the marker's condition is dropped",
    kind: 'counted twice',
    world: 56,
    changes: [
      inTransaction('buildTransaction', ({ buildTransaction }) => (...args) => {
        const transaction = buildTransaction(...args);
        const items = transaction.items.map((item, index) => {
          if (transaction.actions[index]?.kind !== 'marker') return item;
          const { TableName, Item } = item.Put ?? {};
          return { Put: { TableName, Item } };
        });
        return { ...transaction, items };
      }),
    ],
  },
  {
    name: "a slot's condition is dropped",
    kind: 'sums',
    world: 43,
    changes: [
      inTransaction('buildTransaction', ({ buildTransaction }) => (...args) => {
        const transaction = buildTransaction(...args);
        const ConditionExpression = 'attribute_not_exists(#ttl) OR #ttl <= :ttl';
        for (const [index, { Update }] of transaction.items.entries()) {
          if (Update && transaction.actions[index]?.kind === 'slot') {
            Object.assign(Update, { ConditionExpression });
          }
        }
        return transaction;
      }),
    ],
  },
  {
    name: "a marker lives for Powertools' default hour",
    kind: 'short marker',
    world: 43,
    changes: [inDelivery('addUpDeliverySeconds', () => () => 3_600)],
  },
  {
    name: 'one click decides for all that share its write',
    kind: 'phantom',
    world: 44,
    changes: [
      inBounds('strictestOf', () => (bounds) => {
        const firsts = bounds.toReversed().map((bound) => {
          return [`${bound.operator}${bound.attribute}`, bound] as const;
        });
        return [...new Map(firsts).values()];
      }),
    ],
  },
  {
    name: 'one late click fails the others',
    kind: 'needless failure',
    world: 44,
    changes: [
      inCancellation('readCancellation', ({ readCancellation }) => (transaction, ...rest) => {
        const cancellation = readCancellation(transaction, ...rest);
        const outcomes = new Map(cancellation.outcomes);
        for (const { kind, parts } of transaction.actions) {
          const failures = parts
            .map(({ entry }) => cancellation.outcomes.get(entry))
            .filter((outcome) => outcome instanceof Error);
          const [failure] = failures;
          if (kind !== 'increment' || !failure) continue;
          for (const { entry } of parts) {
            if (!outcomes.has(entry)) outcomes.set(entry, failure);
          }
        }
        return { ...cancellation, outcomes };
      }),
    ],
  },
];
