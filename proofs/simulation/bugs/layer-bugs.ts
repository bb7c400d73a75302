import type {
  Duplicate,
  Entry,
} from '../../../packages/powertools-idempotency-transactional/src/entry.ts';
import type { PlantedBug } from './planted-bug.ts';

const src = 'packages/powertools-idempotency-transactional/src';
const cancellation = `${src}/cancellation.ts` as const;
const send = `${src}/send.ts` as const;
const transaction = `${src}/transaction.ts` as const;
const verdict = `${src}/verdict.ts` as const;

const duplicateOf = ({ payloadHash }: Entry): Duplicate => ({ kind: 'duplicate', payloadHash });
const takeAll = (entries: Iterable<Entry>) =>
  new Map([...entries].map((entry) => [entry, duplicateOf(entry)]));

const dayMs = 86_400_000;

/** Request tokens of one instance. */
const tokens = new Map<string, string>();

/** Bugs with markers, transactions and their cancellations. */
export const layerBugs: PlantedBug[] = [
  {
    name: 'a conflict is taken for a duplicate',
    kind: 'lost',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const cancelled = real(given, reasons, nowMs);
          const outcomes = new Map([...takeAll(cancelled.contended), ...cancelled.outcomes]);
          return { ...cancelled, outcomes };
        },
      },
    },
  },
  {
    name: 'the hash of the payload is ignored',
    kind: 'lost',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const cancelled = real(given, reasons, nowMs);
          for (const [entry, outcome] of cancelled.outcomes) {
            if (!(outcome instanceof Error)) cancelled.outcomes.set(entry, duplicateOf(entry));
          }
          return cancelled;
        },
      },
    },
  },
  {
    name: 'an expired marker blocks until it is deleted',
    kind: 'lost',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const { markers, ...cancelled } = real(given, reasons, nowMs);
          const outcomes = new Map([...cancelled.outcomes, ...takeAll(markers.keys())]);
          return { ...cancelled, outcomes, markers: new Map() };
        },
      },
    },
  },
  {
    name: 'a marker expires a day early',
    kind: 'counted twice',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => real(given, reasons, nowMs + dayMs),
      },
      [transaction]: {
        buildTransaction: (real) => (entries, nowMs) => real(entries, nowMs + dayMs),
      },
    },
  },
  {
    name: 'an unreadable marker is taken for a duplicate',
    kind: 'lost',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const { outcomes, ...cancelled } = real(given, reasons, nowMs);
          const unread = given.actions.filter((action, index) => {
            const { Code, Item } = reasons[index] ?? {};
            return action.kind === 'marker' && Code === 'ConditionalCheckFailed' && !Item;
          });
          const entries = unread.flatMap(({ parts }) => parts.map(({ entry }) => entry));
          return { ...cancelled, outcomes: new Map([...outcomes, ...takeAll(entries)]) };
        },
      },
    },
  },
  {
    name: 'a conflict is final',
    kind: 'needless failure',
    replace: {
      [verdict]: {
        judgeError: (real) => (error, given, nowMs) => {
          const judged = real(error, given, nowMs);
          const isConflict = judged.kind === 'retry' || judged.kind === 'split';
          if (!isConflict) return judged;
          const outcomes = new Map(given.entries.map((entry) => [entry, error]));
          return { kind: 'peel', outcomes, markers: new Map() };
        },
      },
    },
  },
  {
    name: 'a lost answer is taken for a commit',
    kind: 'lost',
    replace: {
      [send]: {
        sendTransaction: (real) => async (client, given, token, deadlineMs) => {
          try {
            await real(client, given, token, deadlineMs);
          } catch (error) {
            const isLost = error instanceof Error && /Abort|ECONNRESET/.test(`${error}`);
            if (!isLost) throw error;
          }
        },
      },
    },
  },
  {
    name: 'an answer without proof is taken for a commit',
    kind: 'lost',
    replace: {
      [send]: {
        sendTransaction: (real) => async (client, given, token, deadlineMs) => {
          try {
            await real(client, given, token, deadlineMs);
          } catch (error) {
            if (!(error instanceof Error && error.name === 'CommitUnprovenError')) throw error;
          }
        },
      },
    },
  },
  {
    name: 'each instance numbers its request tokens',
    kind: 'needless failure',
    replace: {
      [send]: {
        sendTransaction: (real) => (client, given, token, deadlineMs) => {
          const own = tokens.get(token) ?? `token-${tokens.size}`;
          tokens.set(token, own);
          return real(client, given, own, deadlineMs);
        },
      },
    },
  },
  {
    name: 'the marker is written before the work',
    kind: 'sums',
    replace: {
      [send]: {
        sendTransaction: (real) => async (client, given, token, deadlineMs) => {
          for (const [number, isWork] of [false, true].entries()) {
            const isPart = (_: unknown, index: number) =>
              (given.actions[index]?.kind === 'increment') === isWork;
            const [actions, items] = [given.actions.filter(isPart), given.items.filter(isPart)];
            if (actions.length === 0) continue;
            await real(client, { ...given, actions, items }, token.slice(1) + number, deadlineMs);
          }
        },
      },
    },
  },
  {
    name: "the marker's condition is dropped",
    kind: 'counted twice',
    replace: {
      [transaction]: {
        buildTransaction: (real) => (entries, nowMs) => {
          const built = real(entries, nowMs);
          for (const { Put } of built.items) delete Put?.ConditionExpression;
          return built;
        },
      },
    },
  },
  {
    name: "a slot's condition is dropped",
    kind: 'sheet',
    replace: {
      [transaction]: {
        buildTransaction: (real) => (entries, nowMs) => {
          const built = real(entries, nowMs);
          for (const [index, { Update }] of built.items.entries()) {
            if (built.actions[index]?.kind !== 'slot' || !Update) continue;
            Update.ConditionExpression = Update.ConditionExpression?.replace(
              /attribute_not_exists\([a-m]\d\) AND /g,
              '',
            );
          }
          return built;
        },
      },
    },
  },
  {
    name: 'the increments of a transaction overwrite each other',
    kind: 'sums',
    replace: {
      [transaction]: {
        buildTransaction: (real) => (entries, nowMs) => {
          const built = real(entries, nowMs);
          for (const [index, { Update }] of built.items.entries()) {
            const values = Update?.ExpressionAttributeValues;
            if (built.actions[index]?.kind !== 'increment' || !values) continue;
            for (const name in values) values[name] = { N: '1' };
          }
          return built;
        },
      },
    },
  },
  {
    name: 'two slots have one attribute',
    kind: 'lost',
    replace: {
      [`${src}/sheet.ts` as const]: {
        toSlotMarker:
          (real) =>
          (tableName, { sheetKey, index }, ...rest) =>
            real(tableName, { sheetKey, index: index - (index % 2) }, ...rest),
      },
    },
  },
  {
    name: "a marker lives for Powertools' default hour",
    kind: 'short marker',
    replace: { [`${src}/delivery.ts` as const]: { addUpDeliverySeconds: () => () => 3_600 } },
  },
];
