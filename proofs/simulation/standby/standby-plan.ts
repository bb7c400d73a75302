import { createRandom } from '../../tools/random.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The share of worlds that have a standby. */
const share = 1 / 4;

/** What a stage's outage cuts off: the home Region, or only the path between both. */
interface Outage {
  of: 'home' | 'path';
  fromMs: number;
  untilMs: number;
}

export type StandbyPlan = NonNullable<ReturnType<typeof drawStandby>>;

/** Draws what a world with a standby has besides, or nothing. Other worlds stay as they are. */
export function drawStandby(seed: number, spanMs: number, isLong: boolean) {
  const random = createRandom(seed, 'standby');
  if (!random.chance(share)) return undefined;
  const drawOutages = (of: Outage['of'], durationsMs: number[]): Outage[] =>
    Array.from({ length: random.integer(0, 2) }, () => {
      const fromMs = random.integer(1, spanMs);
      return { of, fromMs, untilMs: fromMs + random.pick(durationsMs) };
    });
  /** During the traffic and its outages, or later. */
  const drawTime = () => random.integer(1, random.pick([spanMs, spanMs + 10 * minuteMs]));
  const edits = [
    { url: 'https://example.com/moved' },
    { url: 'https://example.com/moved/again' },
    { disabled: true },
    { disabled: false },
    { forwardQuery: true },
  ];
  return {
    /** After the start. In long worlds, the path may stay down for longer than anything waits for it. */
    outages: [
      ...drawOutages('home', [1_000, 5_000, 20_000, 150_000]),
      ...drawOutages('path', [1_000, 20_000, 600_000, ...(isLong ? [30 * hourMs] : [])]),
    ],
    /** The share of visitors who come to the standby although the home Region answers. */
    visitShare: random.pick([0.05, 0.3]),
    /** How often Lambda reads changes late. */
    lateShare: random.pick([0, 0.1, 0.5]),
    /** What owners do to links besides: they edit, take down and enable them. */
    edits: Array.from({ length: random.integer(4, 16) }, () => ({
      afterMs: drawTime(),
      link: random.integer(0, 2),
      body: random.pick(edits),
    })),
    /** When owners create other links. */
    newLinksAfterMs: Array.from({ length: random.integer(0, 8) }, drawTime),
    /** When visitors follow links besides. */
    visitsAfterMs: Array.from({ length: 40 }, drawTime),
    /** The deletion of a link, after which its code is used again. */
    lives: Array.from({ length: random.integer(0, 2) }, () => ({
      link: random.integer(0, 2),
      deleteAfterMs: random.integer(1, spanMs),
      next: random.pick(['restore', 'renew', 'stay'] as const),
      nextAfterMs: random.integer(1, random.pick([1_000, 200_000])),
    })),
  };
}

/** Whether an outage cuts a boundary, such as `standby bus → bus: PutEvents`. */
export function cuts({ of }: Outage, boundary: string): boolean {
  if (of === 'home') return !boundary.startsWith('resolver → standby');
  return /^(standby bus → bus|replicator → standby table): /.test(boundary);
}
