import type * as clickModule from '../../../lib/clicks/click.ts';
import type * as unionModule from '../../../lib/clicks/visitor-union.ts';
import type * as requestsModule from '../../../lib/dynamodb/requests.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inClick = inModule<typeof clickModule>('lib/clicks/click.ts');
const inUnion = inModule<typeof unionModule>('lib/clicks/visitor-union.ts');
const inRequests = inModule<typeof requestsModule>('lib/dynamodb/requests.ts');

/** Bugs in what adds visitors to sketches. */
export const visitorBugs: PlantedBug[] = [
  {
    name: 'a mark is dropped',
    kind: 'visitors',
    world: 64,
    changes: [
      inClick('readClick', ({ readClick }) => (...args) => {
        const { mark, ...click } = readClick(...args);
        return mark === undefined || mark % 32 === 1 ? click : { ...click, mark };
      }),
    ],
  },
  {
    name: "a bot's mark is added",
    kind: 'visitors',
    world: 43,
    changes: [
      inClick('readClick', ({ readClick }) => (event, nowMs) => {
        const given = Object(event);
        if (given.detail?.visitor !== 'bot') return readClick(event, nowMs);
        const person = { ...given, detail: { ...given.detail, visitor: 'human' } };
        return { ...readClick(event, nowMs), mark: readClick(person, nowMs).mark };
      }),
    ],
  },
  {
    name: 'a failed union is ignored',
    kind: 'visitors',
    world: 84,
    changes: [
      inUnion('VisitorUnion', ({ VisitorUnion }) => {
        return class extends VisitorUnion {
          override add(...args: Parameters<unionModule.VisitorUnion['add']>) {
            return super.add(...args).catch(() => undefined);
          }
        };
      }),
    ],
  },
  {
    name: 'a click that was counted earlier is not united',
    kind: 'visitors',
    world: 9,
    changes: [
      inUnion('VisitorUnion', ({ VisitorUnion }) => {
        return class extends VisitorUnion {
          readonly #tried = new Set<string>();

          override async add(...[click, deadlineMs]: Parameters<unionModule.VisitorUnion['add']>) {
            const name = JSON.stringify([click.code, click.day, click.mark]);
            if (this.#tried.has(name)) return;
            this.#tried.add(name);
            await super.add(click, deadlineMs);
          }
        };
      }),
    ],
  },
  {
    name: "a sketch's condition is dropped",
    kind: 'visitors',
    world: 111,
    changes: [
      inRequests('updateItem', ({ updateItem }) => (table, update) => {
        const { ConditionExpression, ExpressionAttributeValues, ...rest } = update;
        if (!update.Key?.SK.startsWith('VISITORS#')) return updateItem(table, update);
        const { ':stored': _stored, ...values } = ExpressionAttributeValues ?? {};
        return updateItem(table, { ...rest, ExpressionAttributeValues: values });
      }),
    ],
  },
  {
    name: 'a purge leaves the visitors',
    kind: 'visitors',
    world: 44,
    changes: [
      inRequests('commitWrites', ({ commitWrites }) => (table, writes, deadlineMs) => {
        const others = writes.filter((write) => {
          return !/^VISITORS#/.test(String(Object(write.Delete?.Key).SK));
        });
        return commitWrites(table, others, deadlineMs);
      }),
    ],
  },
];
