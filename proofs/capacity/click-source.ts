import { createRandom } from '../../fixtures/random.ts';
import { createClickIds, type PlacedClick } from '../../lib/clicks/click-id.ts';
import { makeClickBody } from '../tools/click-body.ts';
import { createZipf } from '../tools/zipf.ts';
import { resolverSeconds } from './cpu.ts';
import type { LinkLaw } from './traffic.ts';

/** A click's message. */
export interface ClickMessage {
  id: string;
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
  /** The 0-based number of its ClickQueue. */
  queue: number;
}

export interface SourceParts {
  seed: number;
  law: LinkLaw;
  /** The number of resolver environments. */
  environments: number;
  queues: number;
  /** The clicks of each environment before the first one here. */
  earlierClicks: number;
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

export function createClickSource({ seed, law, ...others }: SourceParts): () => SentClick {
  const pickCode = createLinkPicker(seed, law);
  const place = createIds(seed, pickCode, others);
  let made = 0;
  return () => {
    const code = pickCode();
    made += 1;
    const placed = law.isForeign ? { clickId: eventIdOf(made), queue: 0 } : place(code);
    return { number: made, code, ...placed };
  };
}

/** A click's message, in the bus's form. */
export function toMessage({ number, code, clickId }: SentClick, sentMs: number): ClickMessage {
  return {
    id: `message-${number}`,
    body: makeClickBody(number, code, clickId, eventIdOf(number)),
    sentMs,
    receiveCount: 0,
  };
}

/** A UUID that is the same in every run. */
function eventIdOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

function createIds(
  seed: number,
  pickCode: () => string,
  { environments, queues, earlierClicks }: Omit<SourceParts, 'seed' | 'law'>,
): (code: string) => PlacedClick {
  const random = createRandom(seed, 'ids');
  const bytes = () => Uint8Array.from({ length: 16 }, () => random.integer(0, 255));
  const mint = () => Buffer.from(bytes()).toString('base64url');
  const sources = Array.from({ length: environments }, () => createClickIds(queues, mint));
  // They have learned which links are busy.
  for (const mintId of sources) {
    for (let left = earlierClicks; left > 0; left -= 1) mintId(pickCode());
  }
  return (code) => random.pick(sources)(code);
}

/** Picks the hot link by its share, and the others by Zipf's law. */
function createLinkPicker(seed: number, { links, hotShare }: LinkLaw): () => string {
  const random = createRandom(seed, 'links');
  const pickRank = createZipf(links, random);
  return () => (random.chance(hotShare) ? hotCode : `link-${pickRank()}`);
}
