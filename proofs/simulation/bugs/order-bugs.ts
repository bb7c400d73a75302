import type { Action } from '../../../packages/powertools-idempotency-transactional/src/entry.ts';
import type { PlantedBug } from './planted-bug.ts';

const src = 'packages/powertools-idempotency-transactional/src';
const buildEntry = `${src}/build-entry.ts` as const;
const cancellation = `${src}/cancellation.ts` as const;

/** Bugs in the example, and in features of the layer that clicks don't use. */
export const orderBugs: PlantedBug[] = [
  {
    name: 'an order has no outbox item',
    kind: 'torn',
    replace: {
      [buildEntry]: {
        buildEntry: (real) => (options, schema, record, payload) => {
          const entry = real(options, schema, record, payload);
          const actions = entry.actions.filter((action) => kindOf(action) !== 'OUTBOX');
          return { ...entry, actions };
        },
      },
    },
  },
  {
    name: 'an order replaces one that exists',
    kind: 'changed',
    seed: 5,
    replace: {
      [buildEntry]: {
        buildEntry: (real) => (options, schema, record, payload) => {
          const entry = real(options, schema, record, payload);
          for (const action of entry.actions) {
            if (action.kind === 'write') delete action.request.Put?.ConditionExpression;
          }
          return entry;
        },
      },
    },
  },
  {
    name: 'the price of an order is raised twice',
    kind: 'sums',
    replace: {
      [buildEntry]: {
        buildEntry: (real) => (options, schema, record, payload) => {
          const entry = real(options, schema, record, payload);
          for (const action of entry.actions) {
            if (action.kind === 'increment') action.increments.push(...action.increments);
          }
          return entry;
        },
      },
    },
  },
  {
    name: 'a repeated request is answered without its response',
    kind: 'needless failure',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const cancelled = real(given, reasons, nowMs);
          for (const outcome of cancelled.outcomes.values()) {
            if (!(outcome instanceof Error) && 'response' in outcome) delete outcome.response;
          }
          return cancelled;
        },
      },
    },
  },
  {
    name: 'the order of arrival is reversed',
    kind: 'order of arrival',
    seed: 9,
    replace: {
      [`${src}/chain.ts` as const]: {
        chainEntries: (real) => (entries) => real(entries).map((steps) => steps.reverse()),
      },
    },
  },
];

const kindOf = ({ key }: Action) => `${key.PK}`.split('#')[0];
