import { chunk } from '../../lib/chunk.ts';
import { makeEventBody } from '../tools/click-body.ts';
import { createRandom, type Random } from '../tools/random.ts';

export type CrashPoint = 'before-work' | 'mid-work' | 'after-work';

/** A fault in one invocation. `click` is a 1-based position in the order of the clicks' work. */
export type InjectedFault =
  | { kind: 'crash'; point: CrashPoint; click: number }
  /** From this click's work on, requests get no answer. */
  | { kind: 'hang'; click: number }
  /** DynamoDB executes every write, but half of the connections break before the answer. */
  | { kind: 'lose-answers'; seed: number }
  /** The first `requests` transactions on the hot link are cancelled. */
  | { kind: 'conflict'; requests: number }
  /** After `skip` writes to the hot link, the next `requests` are throttled. */
  | { kind: 'throttle'; skip: number; requests: number }
  /** Each request waits for its turn. */
  | { kind: 'take-turns' };

/** A message as the bus sends it. */
export interface PlannedMessage {
  body: string;
  /** Undefined for a message that is not a valid click. */
  click?: PlannedClick;
  /** It carries the id of another click, so it must not be counted. */
  isChanged?: boolean;
}

export interface PlannedClick {
  clickId: string;
  eventId: string;
  code: string;
}

/** The messages of one invocation, and the fault that is injected into it. */
export interface PlannedBatch {
  messages: PlannedMessage[];
  fault?: InjectedFault;
}

/** Everything that happens in a cell. The same seed, fault and size give the same plan. */
export interface CellPlan {
  /** The links that exist. */
  codes: string[];
  /** The clicks that must be counted once each. */
  clicks: PlannedClick[];
  batches: PlannedBatch[];
  /** Clicks whose message is handled but not deleted, so that SQS redelivers it. */
  redelivery?: { clickIds: Set<string>; afterSeconds: number };
  /** Batches that the bus sends again after everything else is done. */
  resent?: { batches: PlannedBatch[]; afterSeconds: number };
}

interface PlanSize {
  batchSize: number;
  random: Random;
}

/** Makes a message from the earlier messages of its batch and the batch's number. */
type MakeMessage = (earlier: PlannedMessage[], batch: number) => PlannedMessage | undefined;

export const hotCode = 'hot-link';
export const clickDay = '2026-01-15';

const otherCodes = Array.from({ length: 9 }, (_, index) => `link-${index + 1}`);
const unusedCode = 'unused-link';
const copiedShare = 0.1;
const faultyShare = 0.2;
const hourSeconds = 60 * 60;

/** A cell without a fault, and the clicks that a fault may copy. */
interface BasePlan extends CellPlan, PlanSize {
  copies: PlannedClick[];
}

type FaultPlan = (base: BasePlan) => Partial<CellPlan>;

const redeliver =
  (afterSeconds: number): FaultPlan =>
  ({ copies }) => {
    const clickIds = new Set(copies.map(({ clickId }) => clickId));
    return { redelivery: { clickIds, afterSeconds } };
  };

const resend =
  (afterSeconds: number): FaultPlan =>
  ({ copies, batchSize }) => ({ resent: { batches: toBatches(copies, batchSize), afterSeconds } });

const insert =
  (share: number, make: MakeMessage): FaultPlan =>
  (base) => ({ batches: insertEach(base.clicks, base, share, make) });

const inject =
  (makeFault: (base: BasePlan) => InjectedFault): FaultPlan =>
  (base) => {
    const faulty = chooseFaulty(base.batches.length, faultyShare, base.random);
    const batches = base.batches.map((batch, index) =>
      faulty.has(index) ? { ...batch, fault: makeFault(base) } : batch,
    );
    return { batches };
  };

const crash = (point: CrashPoint) =>
  inject(({ random, batchSize }) => {
    return { kind: 'crash', point, click: random.integer(1, batchSize) };
  });

const add = ({ batches, batchSize }: BasePlan, more: PlannedClick[]) => {
  return { batches: [...batches, ...toBatches(more, batchSize)] };
};
const publishAgain = (click: PlannedClick) => ({ ...click, eventId: `${click.eventId}-again` });

/** Plans each fault, in the order of the report. docs/compare.md says what happens in each. */
const faultPlans = {
  none: () => ({}),
  'message-twice': redeliver(0),
  'event-twice': (base) => add(base, base.copies),
  'published-twice': (base) => add(base, base.copies.map(publishAgain)),
  'both-in-one-batch': insert(1, (earlier) => earlier.at(-1)),
  'both-at-once': inject(() => ({ kind: 'take-turns' })),
  'again-after-10-s': redeliver(10),
  'again-after-25-h': redeliver(25 * hourSeconds),
  'again-after-8-days': resend(8 * 24 * hourSeconds),
  'event-after-6-min': resend(6 * 60),
  'crash-before-work': crash('before-work'),
  'crash-mid-work': crash('mid-work'),
  'crash-after-work': crash('after-work'),
  'answer-lost': inject(({ random }) => {
    return { kind: 'lose-answers', seed: random.integer(0, 1_000_000) };
  }),
  conflict: inject(({ random }) => ({ kind: 'conflict', requests: random.integer(3, 6) })),
  throttling: inject(({ random }) => {
    return { kind: 'throttle', skip: random.integer(0, 1), requests: random.integer(5, 8) };
  }),
  malformed: insert(faultyShare, makeMalformed),
  'changed-click': (base) => {
    const { copies, codes, batches } = base;
    const changed = add(
      base,
      copies.map((click) => ({ ...publishAgain(click), code: unusedCode })),
    );
    for (const { messages } of changed.batches.slice(batches.length)) {
      for (const message of messages) message.isChanged = true;
    }
    return { codes: [...codes, unusedCode], ...changed };
  },
  'unknown-link': insert(faultyShare, makeUnknownLink),
  timeout: inject(({ batchSize }) => ({ kind: 'hang', click: Math.ceil(batchSize / 2) })),
} satisfies Record<string, FaultPlan>;

export type Fault = keyof typeof faultPlans;

export const faults = Object.keys(faultPlans) as Fault[];

/** Plans a cell: `clickCount` clicks, a third of them on one link, in batches of `batchSize`. */
export function planCell(
  fault: Fault,
  { clickCount, batchSize, seed }: { clickCount: number; batchSize: number; seed: number },
): CellPlan {
  const random = createRandom(seed, fault);
  const clicks = planClicks(clickCount, random);
  const plan = { codes: [hotCode, ...otherCodes], clicks, batches: toBatches(clicks, batchSize) };
  const copied = random.choose(Math.max(3, Math.round(clicks.length * copiedShare)), clicks.length);
  const copies = copied.flatMap((index) => clicks[index] ?? []);
  return { ...plan, ...faultPlans[fault]({ ...plan, copies, batchSize, random }) };
}

function planClicks(count: number, random: Random): PlannedClick[] {
  return Array.from({ length: count }, (_, index) => ({
    clickId: `click-${index}`,
    eventId: `event-${index}`,
    code: index % 3 === 0 ? hotCode : (otherCodes[random.integer(0, 8)] ?? hotCode),
  }));
}

function toBatches(clicks: PlannedClick[], size: number): PlannedBatch[] {
  return chunk(clicks, size).map((some) => ({ messages: some.map(toMessage) }));
}

function toMessage(click: PlannedClick): PlannedMessage {
  return { body: makeBody(click), click };
}

function makeBody({ clickId, eventId, code }: PlannedClick): string {
  const at = `${clickDay}T10:00:00Z`;
  return makeEventBody(eventId, at, { clickId, code, at });
}

/** Inserts an additional message into a share of the batches, within their size. */
function insertEach(
  clicks: PlannedClick[],
  { batchSize, random }: PlanSize,
  share: number,
  make: MakeMessage,
): PlannedBatch[] {
  const faulty = chooseFaulty(Math.ceil(clicks.length / batchSize), share, random);
  const batches: PlannedBatch[] = [];
  for (let start = 0; start < clicks.length; ) {
    const isFaulty = faulty.has(batches.length);
    const room = isFaulty ? batchSize - 1 : batchSize;
    const messages = clicks.slice(start, start + room).map(toMessage);
    start += room;
    if (isFaulty) {
      const position = random.integer(1, messages.length);
      const inserted = make(messages.slice(0, position), batches.length);
      if (inserted) messages.splice(position, 0, inserted);
    }
    batches.push({ messages });
  }
  return batches;
}

function makeMalformed(_earlier: PlannedMessage[], batch: number): PlannedMessage {
  const click = { clickId: `bad-${batch}`, eventId: `bad-event-${batch}`, code: hotCode };
  const body = makeBody(click);
  return { body: batch % 2 ? body.slice(0, -2) : body.replace(`"code":"${hotCode}",`, '') };
}

function makeUnknownLink(_earlier: PlannedMessage[], batch: number): PlannedMessage {
  const code = `gone-${batch}`;
  return toMessage({ clickId: `lost-${batch}`, eventId: `lost-event-${batch}`, code });
}

function chooseFaulty(count: number, share: number, random: Random): Set<number> {
  return new Set(random.choose(Math.max(1, Math.round(count * share)), count));
}
