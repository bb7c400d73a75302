import type {
  Duplicate,
  Entry,
} from '../../../packages/powertools-idempotency-transactional/src/entry.ts';
import type { PlantedBug } from './planted-bug.ts';

const src = 'packages/powertools-idempotency-transactional/src';
const cancellation = `${src}/cancellation.ts` as const;
const send = `${src}/send.ts` as const;
const transaction = `${src}/transaction.ts` as const;

const duplicateOf = ({ payloadHash }: Entry): Duplicate => ({ kind: 'duplicate', payloadHash });

/** Request tokens of one instance. */
const tokens = new Map<string, string>();

/** Bugs in the layer, and then in the rest of the service. */
export const plantedBugs: PlantedBug[] = [
  {
    name: 'a conflict is taken for a duplicate',
    kind: 'lost',
    replace: {
      [cancellation]: {
        readCancellation: (real) => (given, reasons, nowMs) => {
          const cancelled = real(given, reasons, nowMs);
          for (const entry of cancelled.contended) {
            if (!cancelled.outcomes.has(entry)) cancelled.outcomes.set(entry, duplicateOf(entry));
          }
          return cancelled;
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
    kind: 'sums',
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
    name: "a marker lives for Powertools' default hour",
    kind: 'short marker',
    replace: { [`${src}/delivery.ts` as const]: { addUpDeliverySeconds: () => () => 3_600 } },
  },
  {
    name: 'the key is the messageId',
    kind: 'made up',
    replace: {
      'lib/clicks/records.ts': {
        readRecords: (real) => (event) =>
          real(event).map(({ body, ...record }) => {
            const clickId = `"clickId":${JSON.stringify(record.messageId)}`;
            return { ...record, body: body.replace('"detail":{', `"detail":{${clickId},`) };
          }),
      },
    },
  },
  {
    name: 'a message is refused when it comes again',
    kind: 'needless failure',
    replace: {
      'lib/clicks/records.ts': {
        checkRecord: (real) => (record) => {
          if (record.attributes?.ApproximateReceiveCount !== '1') throw new Error('planted');
          real(record);
        },
      },
    },
  },
  {
    name: 'an error is swallowed',
    kind: 'poison taken for done',
    replace: {
      'functions/aggregate-clicks.ts': {
        handler: (real) =>
          Object.assign(async (...args: Parameters<typeof real>) => {
            await real(...args);
            return { batchItemFailures: [] };
          }, real),
      },
    },
  },
  {
    name: 'the day is that of the delivery',
    kind: 'made up',
    replace: {
      'lib/clicks/click.ts': {
        parseClick:
          (real) =>
          (body, nowMs = Date.now()) => {
            const day = new Date(nowMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
            return { ...real(body, nowMs), day };
          },
      },
    },
  },
  {
    name: 'the link need not exist',
    kind: 'sums',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) => {
          const effects = real(click);
          return { increments: effects.increments?.map((one) => ({ ...one, mustExist: false })) };
        },
      },
    },
  },
  {
    name: 'a breakdown is not raised',
    kind: 'breakdowns',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) =>
          real({ ...click, breakdowns: click.breakdowns.slice(1) }),
      },
    },
  },
  {
    name: "a link's people are not raised",
    kind: 'breakdowns',
    replace: {
      'lib/clicks/click.ts': {
        clickEffects: (real) => (click) => ({
          increments: real(click).increments?.filter(
            ({ key, attribute }) => key.SK !== 'META' || attribute !== 'vh',
          ),
        }),
      },
    },
  },
  {
    name: 'the way past the bus has another click id',
    kind: 'counted twice',
    replace: {
      'lib/clicks/click-event.ts': {
        toBusEntry: (real) => (busName, detail, source) =>
          real(busName, { ...detail, clickId: `${detail.clickId}-bus` }, source),
      },
    },
  },
  {
    name: 'a visitor is redirected without a click',
    kind: 'vanished',
    replace: { 'lib/clicks/publish-click.ts': { publishClick: () => async () => {} } },
  },
];
