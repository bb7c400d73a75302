import { createRandom, type Random } from '../tools/random.ts';
import { readSettings, type Settings } from './stage-settings.ts';
import { drawStandby } from './standby/standby-plan.ts';

/** The possible failures of a request. */
export const failures = ['dropped', 'rejected', 'response lost', 'late', 'twice'] as const;
export type Failure = (typeof failures)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const settingsOfStages = readSettings();
/** When long worlds have late copies of counted clicks, after the start: the guarantee includes them. */
export const lateCopiesAfterMs = 18.5 * dayMs;
/** More than the stages permit. Their concurrency is low to save costs, and may be raised. */
const highConcurrency = 10;
/** Lets worlds of minutes outlast it. */
const briefStaleSeconds = 120;
/** More receives than this show nothing new, and would be most of the deliveries. */
const fewReceives = 5;

/** Everything that distinguishes a world from others. */
export type WorldPlan = ReturnType<typeof drawPlan>;

/**
 * Draws a world. Each has only some kinds of faults, so that they don't hide each other. Worlds with two
 * versions of the code don't have a standby.
 */
export function drawPlan(seed: number, maxClicks = 3_000, isRolled = false) {
  const random = createRandom(seed, 'plan');
  const maybe = (probability: number, value: () => number) =>
    random.chance(probability) ? value() : 0;
  const ofStage = varySettings(random.pick(settingsOfStages), seed);
  /** Whether the world lasts for weeks, with late copies and expired markers. */
  const isLong = random.chance(0.25);
  /** How long clicks keep arriving. */
  const spanMs = Math.ceil(random.pick([1_000, 10_000, 60_000]) * (0.5 + random.fraction()));
  const blackout = drawBlackout(seed);
  const standby = isRolled ? undefined : drawStandby(seed, spanMs, isLong);
  const settings = standby ? withStandby(ofStage) : ofStage;
  return {
    seed,
    settings,
    spanMs,
    startMs: Date.UTC(2026, 4, random.integer(1, 28), random.pick([9, 23]), random.integer(55, 59)),
    clicks: random.integer(Math.ceil(maxClicks / 5), maxClicks),
    links: random.pick([1, 3, 10, 40]),
    /** The share of clicks through the resolver. */
    visitShare: Math.max(random.pick([0, 0.1, 0.4]), standby ? 0.1 : 0),
    /** The share of clicks whose message the producer resends. */
    resendShare: random.pick([0, 0.02, 0.2, 0.6]),
    invalidShare: random.pick([0, 0.01, 0.1]),
    /** The share of clicks on links that are created late or never. */
    strayShare: random.pick([0, 0.02, 0.2]),
    /** How often a request fails, and how. */
    failureRate: maybe(0.8, () => random.pick([0.01, 0.05, 0.2])),
    failures: failures.filter(() => random.chance(0.7)),
    crashRate: maybe(0.5, () => random.pick([0.002, 0.01, 0.03])),
    freezeRate: maybe(0.5, () => random.pick([0.005, 0.03, 0.1])),
    /** The share of received messages that the queue soon delivers again. */
    redeliveryRate: maybe(0.8, () => random.pick([0.01, 0.1, 0.3])),
    throttleRate: maybe(0.4, () => random.pick([0.02, 0.3])),
    /** When the table does not answer, after the start. */
    outages: [
      ...drawTimes(random, 0.2, spanMs).map((fromMs) => ({
        fromMs,
        untilMs: fromMs + random.pick([1_000, 5_000, 5_000, 20_000, 150_000]),
      })),
      ...blackout.outages,
      // Copies that arrive now become dead letters.
      { fromMs: lateCopiesAfterMs, untilMs: lateCopiesAfterMs + 2 * hourMs },
    ],
    /** When visitors follow links besides, after the start: before, during and after a long outage. */
    visitsAfterMs: [...blackout.visitsAfterMs, ...(standby?.visitsAfterMs ?? [])],
    /** When operators redrive the dead-letter queue, after the start. */
    redriveAfterMs: isLong
      ? drawLateRedrives(random, settings.deadLetterRetentionMs)
      : drawTimes(random, 0.7, 20 * 60_000),
    isLong,
    /** The share of messages that are envelopes of other producers. */
    envelopeShare: createRandom(seed, 'envelopes').pick([0, 0.05, 0.3]),
    /** The share of other producers' clicks whose ids have places on sheets. */
    placedShare: random.pick([0, 0.3, 0.9]),
    /** How many values a UTM parameter has. A link's day has room for 20. */
    campaignValues: createRandom(seed, 'campaign values').pick([0, 3, 60]),
    /** How many visitors other producers know. A day has room for 266 marks, and then has registers. */
    visitors: createRandom(seed, 'number of visitors').pick([5, 100, 10_000]),
    lives: [...drawLives(seed, spanMs), ...(standby?.lives ?? [])],
    /** When owners read a link's overview, after the start. */
    overviews: isRolled ? [] : drawOverviews(seed, spanMs),
    /** What a world with a standby has besides. */
    standby,
    /** The share of cancellations without the items that failed a condition. */
    bareRejectionShare: maybe(isLong ? 0.8 : 0.3, () => random.pick([0.1, 1])),
  };
}

// Half of the worlds have more concurrency than their stage, 90% have fewer receives, and in a third
// the resolver's clicks bypass the bus.
function varySettings(settings: Settings, seed: number): Settings {
  const isRaised = createRandom(seed, 'concurrency').chance(0.5);
  const isWhole = createRandom(seed, 'receives').chance(0.1);
  const isStaleLong = createRandom(seed, 'stale links').chance(0.5);
  const maxReceiveCount = Math.min(settings.maxReceiveCount, isWhole ? Infinity : fewReceives);
  return {
    ...settings,
    clicksVia: createRandom(seed, 'clicks via').chance(1 / 3) ? 'queue' : settings.clicksVia,
    maximumConcurrency: isRaised ? highConcurrency : settings.maximumConcurrency,
    maxReceiveCount,
    staleLinkSeconds: isStaleLong ? settings.staleLinkSeconds : briefStaleSeconds,
    environment: { ...settings.environment, MAX_RECEIVE_COUNT: String(maxReceiveCount) },
  };
}

// Clicks may wait for as long again on the standby's bus, as infra/standby/standby.cjs says.
function withStandby(settings: Settings): Settings {
  const { busRetryMs, environment } = settings;
  const BUS_RETRY_SECONDS = String((2 * busRetryMs) / 1_000);
  return {
    ...settings,
    forwardRetryMs: busRetryMs,
    environment: { ...environment, BUS_RETRY_SECONDS },
  };
}

// In a sixth of the worlds, the table fails for minutes once links are in the resolver's cache.
function drawBlackout(seed: number) {
  const random = createRandom(seed, 'blackout');
  if (!random.chance(1 / 6)) return { outages: [], visitsAfterMs: [] };
  const fromMs = random.integer(1_000, 40_000);
  const untilMs = fromMs + random.integer(40_000, 900_000);
  return {
    outages: [{ fromMs, untilMs }],
    visitsAfterMs: Array.from({ length: 60 }, () =>
      random.integer(1, random.pick([fromMs, untilMs, untilMs + 60_000])),
    ),
  };
}

function drawTimes(random: Random, probability: number, withinMs: number): number[] {
  const count = random.chance(probability) ? random.integer(1, 3) : 0;
  return Array.from({ length: count }, () => random.integer(1, withinMs));
}

// Days later, and repeatedly before the first dead letters expire.
function drawLateRedrives(random: Random, deadLetterRetentionMs: number): number[] {
  const early = Array.from({ length: random.integer(0, 2) }, () => random.integer(1, 12 * dayMs));
  const last = Array.from(
    { length: 10 },
    (_, index) => deadLetterRetentionMs - (2 + index) * hourMs,
  );
  return [...early, ...last];
}

/** Which links' overviews are read during the traffic, and when. In half of the worlds, nobody reads any. */
function drawOverviews(seed: number, spanMs: number) {
  const random = createRandom(seed, 'overviews');
  const count = random.chance(0.5) ? random.integer(5, 30) : 0;
  return Array.from({ length: count }, () => ({
    link: random.integer(0, 2),
    afterMs: random.integer(1, random.pick([spanMs, spanMs * 10])),
  }));
}

/** What happens to links during the traffic, after the start. Half of the worlds have none. */
function drawLives(seed: number, spanMs: number) {
  const random = createRandom(seed, 'lives');
  const count = random.chance(0.5) ? random.integer(1, 4) : 0;
  return Array.from({ length: count }, () => ({
    /** The first link gets the most clicks. */
    link: random.integer(0, 2),
    deleteAfterMs: random.integer(1, spanMs),
    /** Some time later, it's restored, or purged and created again. Or it stays deleted. */
    next: random.pick(['restore', 'renew', 'stay'] as const),
    nextAfterMs: random.integer(1, random.pick([1_000, 200_000])),
  }));
}
