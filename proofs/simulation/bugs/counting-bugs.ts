import type * as aggregatorModule from '../../../functions/aggregate-clicks.ts';
import type * as countersModule from '../../../lib/clicks/campaign-counters.ts';
import type * as clickModule from '../../../lib/clicks/click.ts';
import type * as countRecordModule from '../../../lib/clicks/count-record.ts';
import type * as requestsModule from '../../../lib/dynamodb/requests.ts';
import type { Change } from '../function-code.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inAggregator = inModule<typeof aggregatorModule>('functions/aggregate-clicks.ts');
const inClick = inModule<typeof clickModule>('lib/clicks/click.ts');
const inCounters = inModule<typeof countersModule>('lib/clicks/campaign-counters.ts');
const inCountRecord = inModule<typeof countRecordModule>('lib/clicks/count-record.ts');
const inRequests = inModule<typeof requestsModule>('lib/dynamodb/requests.ts');

type Click = clickModule.Click;
type Increments = NonNullable<ReturnType<typeof clickModule.clickEffects>['increments']>;

/** Changes what a click adds to. Like a function for {@link inModule}, `change` can't use anything of this file. */
function changeIncrements(change: (increments: Increments, click: Click) => Increments): Change {
  const make = `({ clickEffects }) => (click) => ({
    increments: (${change})(clickEffects(click).increments ?? [], click),
  })`;
  return { file: 'lib/clicks/click.ts', name: 'clickEffects', make };
}

/** Bugs in what counts a batch's clicks. */
export const countingBugs: PlantedBug[] = [
  {
    name: 'an error is swallowed',
    kind: 'invalid message taken for done',
    world: 64,
    changes: [
      inAggregator('handler', ({ handler }) => {
        const count = async (...args: Parameters<typeof handler>) => {
          await handler(...args);
          return { batchItemFailures: [] };
        };
        return Object.assign(count, handler);
      }),
    ],
  },
  {
    name: 'the day is that of the delivery',
    kind: 'made up',
    world: 43,
    changes: [
      inClick('readClick', ({ readClick }) => (event, nowMs = Date.now()) => {
        const day = new Date(nowMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
        return { ...readClick(event, nowMs), day };
      }),
    ],
  },
  {
    name: 'the link need not exist',
    kind: 'sums',
    world: 28,
    changes: [
      changeIncrements((increments) => {
        return increments.map((increment) => ({ ...increment, mustExist: false }));
      }),
    ],
  },
  {
    name: 'a breakdown is not raised',
    kind: 'breakdowns',
    world: 43,
    changes: [
      changeIncrements((increments, { breakdowns: [first] }) => {
        const day = increments.find(({ attribute }) => attribute === 'count')?.key;
        return increments.filter(({ key, attribute }) => key !== day || attribute !== first);
      }),
    ],
  },
  {
    name: "a link's people are not raised",
    kind: 'breakdowns',
    world: 43,
    changes: [
      changeIncrements((increments) => {
        const link = increments.find(({ attribute }) => attribute === 'clicks')?.key;
        return increments.filter(({ key, attribute }) => key !== link || attribute !== 'vh');
      }),
    ],
  },
  {
    name: 'a deleted link counts later clicks',
    kind: 'phantom',
    world: 35,
    changes: [
      changeIncrements((increments) => {
        return increments.map((increment) => {
          const { deletedAt: _, ...bounds } = increment.bounds ?? {};
          return { ...increment, bounds };
        });
      }),
    ],
  },
  {
    name: "a new link counts a deleted link's clicks",
    kind: 'phantom',
    world: 38,
    changes: [
      changeIncrements((increments) => {
        return increments.map((increment) => {
          const { since: _, ...bounds } = increment.bounds ?? {};
          return { ...increment, bounds };
        });
      }),
    ],
  },
  {
    name: 'a value takes a number that another one has',
    kind: 'breakdowns',
    world: 16,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        for (const { Update } of writes) {
          if (!Update?.Key?.SK.startsWith('UTM#')) continue;
          const ConditionExpression = `attribute_exists(PK) OR ${Update.ConditionExpression}`;
          Object.assign(Update, { ConditionExpression });
        }
        return commitWrites(table, writes, deadlineMs);
      }),
    ],
  },
  {
    name: 'an unknown link gets values',
    kind: 'sums',
    world: 28,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const addsValues = writes.some(({ Update }) => Update?.Key?.SK.startsWith('UTM#'));
        const others = writes.filter(({ ConditionCheck }) => !ConditionCheck);
        return commitWrites(table, addsValues ? others : writes, deadlineMs);
      }),
    ],
  },
  {
    name: 'a value without room is dropped',
    kind: 'breakdowns',
    world: 9,
    changes: [
      inCounters('chooseCounters', ({ chooseCounters }) => (numbers, ...rest) => {
        const numbered = Object.entries(numbers).filter(([, number]) => number !== 'other');
        return chooseCounters(Object.fromEntries(numbered), ...rest);
      }),
    ],
  },
  {
    name: 'a click is forwarded after the answer',
    kind: 'lost',
    world: 86,
    changes: [
      inCountRecord('createRecordCounter', ({ createRecordCounter }) => (options) => {
        const sendDeadLetters: typeof options.sendDeadLetters = async (...args) => {
          options.sendDeadLetters(...args).catch(() => undefined);
        };
        return createRecordCounter({ ...options, sendDeadLetters });
      }),
    ],
  },
  {
    name: 'a message is done although a click that may succeed later failed',
    kind: 'lost',
    world: 128,
    changes: [
      inCountRecord('createRecordCounter', ({ createRecordCounter }) => (options) => {
        const count = createRecordCounter(options);
        return async (record) => {
          try {
            await count(record);
          } catch (error) {
            if (!record.message?.envelope) throw error;
          }
        };
      }),
    ],
  },
];
