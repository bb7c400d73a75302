import { toMark } from '../../lib/clicks/visitor-sketch.ts';
import type { Settings } from '../simulation/stage-settings.ts';
import { makeClickBody } from '../tools/click-body.ts';
import { createStageIds } from '../tools/click-ids.ts';
import { createRandom, type Random } from '../tools/random.ts';
import { createZipf } from '../tools/zipf.ts';
import { assumptions } from './assumptions.ts';
import { resolverSeconds } from './cpu.ts';
import type { LinkLaw, Traffic } from './traffic.ts';

/** A click's message. */
export interface ClickMessage {
  messageId: string;
  body: string;
  /** Virtual epoch milliseconds of the click. */
  sentMs: number;
  receiveCount: number;
}

/** A click as its producer sends it. */
export interface SentClick {
  /** 1-based. */
  number: number;
  code: string;
  clickId: string;
  /** Its visitor's mark, if it's by a person and the stage counts visitors. */
  mark?: number | undefined;
  /** The 0-based number of its ClickQueue. */
  queue: number;
}

/** The number of resolver environments at this rate. */
export function environmentsFor(clicksPerSecond: number, memoryMb: number): number {
  return Math.max(1, Math.ceil(clicksPerSecond * resolverSeconds(memoryMb)));
}

export const hotCode = 'hot-link';

/** The codes of all links. */
export function codesOf({ links, hotShare }: LinkLaw): string[] {
  const codes = Array.from({ length: links }, (_, rank) => `link-${rank}`);
  return hotShare > 0 ? [hotCode, ...codes] : codes;
}

/** Makes the clicks of a traffic. resolve-link's own code chooses each click's queue. */
export function createClickSource(
  seed: number,
  { law, clicksPerSecond }: Traffic,
  { clickQueues: queues, countVisitors, resolverMemoryMb }: Settings,
): () => SentClick {
  const pickCode = createLinkPicker(seed, law);
  const environments = environmentsFor(clicksPerSecond, resolverMemoryMb);
  // The environments have learned which links are busy.
  const earlierClicks = () => (assumptions.warmSeconds * clicksPerSecond) / environments;
  const random = createRandom(seed, 'ids');
  const place = createStageIds({
    environments,
    queues,
    random,
    pickCode,
    earlierClicks,
    clicksPerSecond,
  });
  let made = 0;
  const drawMark = createMarks(seed);
  return () => {
    const code = pickCode();
    made += 1;
    const placed = law.isForeign ? { clickId: eventIdOf(made), queue: 0 } : place(code);
    const mark = countVisitors && !law.isForeign ? drawMark() : undefined;
    return { number: made, code, mark, ...placed };
  };
}

/** Draws the marks of visitors who are all different. Those who return would cost less. */
function createMarks(seed: number): () => number {
  const random = createRandom(seed, 'visitors');
  const hash = Buffer.alloc(8);
  return () => {
    hash.writeUInt32BE(random.integer(0, 0xffff_ffff), 0);
    hash.writeUInt32BE(random.integer(0, 0xffff_ffff), 4);
    return toMark(hash);
  };
}

/** A click's message, in the bus's form. */
export function toMessage(
  { number, code, clickId, mark }: SentClick,
  sentMs: number,
): ClickMessage {
  return {
    messageId: `message-${number}`,
    body: makeClickBody(number, code, clickId, eventIdOf(number), mark),
    sentMs,
    receiveCount: 0,
  };
}

/** A UUID that is the same in every run. */
function eventIdOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Picks the hot link by its share, and the others by Zipf's law. */
function createLinkPicker(seed: number, { links, hotShare }: LinkLaw): () => string {
  const random = createRandom(seed, 'links');
  const pickRank = createZipf(links, random);
  return () => (random.chance(hotShare) ? hotCode : `link-${pickRank()}`);
}

/** Draws a number of clicks from a Poisson distribution, or from a normal approximation for a large mean. */
export function drawPoisson(mean: number, random: Random): number {
  if (mean > 50) {
    const normal =
      Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let left = random.exponential(1); left < mean; left += random.exponential(1)) count += 1;
  return count;
}
