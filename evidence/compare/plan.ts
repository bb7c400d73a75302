import { createRandom, type Random } from '../kit/random.ts';
import type { CrashPoint, Trouble } from './fault-injector.ts';
import type { Fault } from './names.ts';

/** A message as the bus sends it. */
export type Message = {
  body: string;
  /** Undefined where it is no click that can be counted. */
  click?: PlannedClick;
};

export type PlannedClick = { clickId: string; eventId: string; code: string };

/** What the event source mapping hands to the function together. */
export type Batch = { messages: Message[]; trouble?: Trouble };

/** All that will happen in a cell. The same seed, fault and size make the same plan. */
export type Plan = {
  /** The links that exist. */
  codes: string[];
  /** What must be counted, once each. */
  clicks: PlannedClick[];
  batches: Batch[];
  /** Clicks whose message, once handled, is not deleted but comes back. */
  comeBack?: { clickIds: Set<string>; afterSeconds: number };
  /** What the bus delivers again when all else is done. */
  sendAgain?: { batches: Batch[]; afterSeconds: number };
};

export const hotCode = 'hot-link';
export const clickDay = '2026-01-15';

const otherCodes = Array.from({ length: 9 }, (_, index) => `link-${index + 1}`);
const copiedShare = 0.1;
const troubledShare = 0.2;
const hours = 60 * 60;

/** Plans a cell: `clickCount` clicks, a third of them on one link, in batches of `batchSize`. */
export function planCell(
  fault: Fault,
  options: { clickCount: number; batchSize: number; seed: number },
): Plan {
  const random = createRandom(options.seed, fault);
  const clicks = planClicks(options.clickCount, random);
  const { batchSize } = options;
  const plan = { codes: [hotCode, ...otherCodes], clicks, batches: chunk(clicks, batchSize) };
  const copied = random.choose(Math.max(3, Math.round(clicks.length * copiedShare)), clicks.length);
  const copies = copied.flatMap((index) => clicks[index] ?? []);
  const trouble = planTrouble(fault, batchSize, random);
  if (trouble) return { ...plan, batches: addTrouble(plan.batches, trouble, random) };
  return { ...plan, ...planDeliveries(fault, plan, copies, { batchSize, random }) };
}

/** What is sent otherwise, more often or besides. */
function planDeliveries(
  fault: Fault,
  { clicks, batches }: Plan,
  copies: PlannedClick[],
  { batchSize, random }: { batchSize: number; random: Random },
): Partial<Plan> {
  const clickIds = new Set(copies.map(({ clickId }) => clickId));
  const insert = (share: number, make: MakeMessage) =>
    insertEach(clicks, batchSize, random, share, make);
  switch (fault) {
    case 'message-twice':
      return { comeBack: { clickIds, afterSeconds: 0 } };
    case 'again-after-10-s':
      return { comeBack: { clickIds, afterSeconds: 10 } };
    case 'again-after-25-h':
      return { comeBack: { clickIds, afterSeconds: 25 * hours } };
    case 'event-twice':
      return { batches: [...batches, ...chunk(copies, batchSize)] };
    case 'published-twice': {
      const published = copies.map((click) => ({ ...click, eventId: `${click.eventId}-again` }));
      return { batches: [...batches, ...chunk(published, batchSize)] };
    }
    case 'event-after-6-min':
      return { sendAgain: { batches: chunk(copies, batchSize), afterSeconds: 6 * 60 } };
    case 'both-in-one-batch':
      return { batches: insert(1, (batch) => batch.at(-1)) };
    case 'malformed':
      return { batches: insert(troubledShare, malformed) };
    case 'unknown-link':
      return { batches: insert(troubledShare, unknownLink) };
    default:
      return {};
  }
}

/** What befalls invocations; made anew for each of them. */
function planTrouble(fault: Fault, batchSize: number, random: Random): (() => Trouble) | undefined {
  const crash = (point: CrashPoint) => (): Trouble => {
    return { kind: 'crash', point, click: random.integer(1, batchSize) };
  };
  switch (fault) {
    case 'both-at-once':
      return () => ({ kind: 'take-turns' });
    case 'crash-before-work':
      return crash('before-work');
    case 'crash-mid-work':
      return crash('mid-work');
    case 'crash-after-work':
      return crash('after-work');
    case 'answer-lost':
      return () => ({ kind: 'lose-answers', seed: random.integer(0, 1_000_000) });
    case 'conflict':
      return () => ({ kind: 'conflict', requests: random.integer(3, 6) });
    case 'throttling':
      return () => {
        return { kind: 'throttle', skip: random.integer(0, 1), requests: random.integer(5, 8) };
      };
    case 'timeout':
      return () => ({ kind: 'hang', click: Math.ceil(batchSize / 2) });
    default:
      return undefined;
  }
}

function addTrouble(batches: Batch[], makeTrouble: () => Trouble, random: Random): Batch[] {
  const troubled = chooseTroubled(batches.length, random);
  return batches.map((batch, index) =>
    troubled.has(index) ? { ...batch, trouble: makeTrouble() } : batch,
  );
}

function planClicks(count: number, random: Random): PlannedClick[] {
  return Array.from({ length: count }, (_, index) => ({
    clickId: `click-${index}`,
    eventId: `event-${index}`,
    code: index % 3 === 0 ? hotCode : (otherCodes[random.integer(0, 8)] ?? hotCode),
  }));
}

function chunk(clicks: PlannedClick[], size: number): Batch[] {
  const count = Math.ceil(clicks.length / size);
  return Array.from({ length: count }, (_, index) => ({
    messages: clicks.slice(index * size, (index + 1) * size).map(toMessage),
  }));
}

function toMessage(click: PlannedClick): Message {
  return { body: envelope(click), click };
}

function envelope({ clickId, eventId, code }: PlannedClick): string {
  const detail = { clickId, code, at: `${clickDay}T10:00:00Z` };
  return JSON.stringify({
    id: eventId,
    source: 'click-tally',
    'detail-type': 'link.clicked',
    detail,
  });
}

/** Makes a message from those before it in its batch, and from the batch's number. */
type MakeMessage = (before: Message[], batch: number) => Message | undefined;

/** Makes room in a share of the batches for one message more. */
function insertEach(
  clicks: PlannedClick[],
  size: number,
  random: Random,
  share: number,
  make: MakeMessage,
): Batch[] {
  const troubled = chooseTroubled(Math.ceil(clicks.length / size), random, share);
  const batches: Batch[] = [];
  for (let start = 0; start < clicks.length; ) {
    const room = troubled.has(batches.length) ? size - 1 : size;
    const messages = clicks.slice(start, start + room).map(toMessage);
    start += room;
    if (room < size) {
      const position = random.integer(1, messages.length);
      const inserted = make(messages.slice(0, position), batches.length);
      if (inserted) messages.splice(position, 0, inserted);
    }
    batches.push({ messages });
  }
  return batches;
}

function malformed(_before: Message[], index: number): Message {
  const click = { clickId: `bad-${index}`, eventId: `bad-event-${index}`, code: hotCode };
  const body = envelope(click);
  return { body: index % 2 ? body.slice(0, -2) : body.replace(`"code":"${hotCode}",`, '') };
}

function unknownLink(_before: Message[], index: number): Message {
  const click = { clickId: `lost-${index}`, eventId: `lost-event-${index}`, code: `gone-${index}` };
  return { body: envelope(click), click };
}

function chooseTroubled(count: number, random: Random, share = troubledShare): Set<number> {
  return new Set(random.choose(Math.max(1, Math.round(count * share)), count));
}
