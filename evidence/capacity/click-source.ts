import { v4 } from 'uuid';
import { createClickIds } from '../../lib/clicks/click-id.ts';
import { makeClickBody } from '../kit/click-body.ts';
import { createRandom } from '../kit/random.ts';
import { createZipf } from '../kit/zipf.ts';
import { assumptions } from './assumptions.ts';
import type { LinkLaw } from './traffic.ts';

/** Whose ids: the resolver's own have a place on a page; those of other producers are UUIDs. */
export type IdKind = 'placed' | 'foreign';

/** A click as a message on its way. */
export interface ClickMessage {
  id: string;
  body: string;
  /** Virtual epoch milliseconds of the click. */
  sentMs: number;
  receiveCount: number;
}

export interface SourceParts {
  seed: number;
  law: LinkLaw;
  /** The clicks a second that decide how many environments the resolver has. */
  clicksPerSecond: number;
  ids: IdKind;
}

/** How many environments of the resolver answer so many visitors a second. */
export function environmentsFor(clicksPerSecond: number): number {
  return Math.max(1, Math.ceil(clicksPerSecond * assumptions.resolverSeconds.value));
}

export const hotCode = 'hot-link';

/** The codes of all links that can be clicked. */
export function codesOf({ links, hotShare }: LinkLaw): string[] {
  const codes = Array.from({ length: links }, (_, rank) => `link-${rank}`);
  return hotShare > 0 ? [hotCode, ...codes] : codes;
}

/** Makes the messages of clicks, in the form in which the bus delivers them. */
export function createClickSource({ seed, law, clicksPerSecond, ids }: SourceParts) {
  const pickCode = createLinkPicker(seed, law);
  const mintId = createIds(seed, ids, environmentsFor(clicksPerSecond));
  let made = 0;
  return (sentMs: number): ClickMessage => {
    const code = pickCode();
    made += 1;
    return {
      id: `message-${made}`,
      body: makeClickBody(made, code, mintId(code), eventIdOf(made)),
      sentMs,
      receiveCount: 0,
    };
  };
}

/** A UUID that is the same in each run. */
function eventIdOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

function createIds(seed: number, kind: IdKind, environments: number): (code: string) => string {
  const random = createRandom(seed, 'ids');
  const bytes = () => Uint8Array.from({ length: 16 }, () => random.integer(0, 255));
  const mint = () => v4({ random: bytes() });
  if (kind === 'foreign') return mint;
  const sources = Array.from({ length: environments }, () => createClickIds(mint));
  return (code) => random.pick(sources)(code);
}

/** Picks the hot link by its share, and the others by Zipf's law. */
function createLinkPicker(seed: number, { links, hotShare }: LinkLaw): () => string {
  const random = createRandom(seed, 'links');
  const pickRank = createZipf(links, random);
  return () => (random.chance(hotShare) ? hotCode : `link-${pickRank()}`);
}
