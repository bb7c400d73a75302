import { availableParallelism } from 'node:os';
import type { Cell, Tuning } from '../result.ts';
import { readStage } from '../stage.ts';
import { findTraffic, type LinkLaw, type Traffic } from '../traffic.ts';

const fewLinks: LinkLaw = { links: 10, hotShare: 0 };
const manyLinks: LinkLaw = { links: 1_000, hotShare: 0 };
const oneHotLink: LinkLaw = { links: 1_000, hotShare: 0.9 };

function small(title: string, law: LinkLaw, clicksPerSecond: number, seconds: number): Traffic {
  const name = `${clicksPerSecond} clicks a second, ${title}`;
  return {
    ...{ name, title: name, law, clicksPerSecond },
    ...{ measureFromSeconds: 0, untilSeconds: seconds, drains: true },
  };
}

/** The traffics that one machine can really count, each for so many seconds. */
export function listSmallTraffics(seconds: number): Traffic[] {
  return [
    small('10 links', fewLinks, 20, seconds),
    small("1,000 links by Zipf's law", manyLinks, 20, seconds),
    small('10 links', fewLinks, 100, seconds),
    small("1,000 links by Zipf's law", manyLinks, 100, seconds),
    small('nine tenths on one link', oneHotLink, 100, seconds),
  ];
}

/** A stage whose event source mapping does what the local poller does: one batch for each processor. */
export function localCell(traffic: Traffic): Cell {
  const { maximumConcurrency } = readStage('dev');
  const tuning: Tuning = {
    ...{ batchSize: 10, batchWindowSeconds: 0, clickQueues: 1 },
    maximumConcurrency: Math.min(maximumConcurrency, availableParallelism()),
  };
  return { stage: 'dev', traffic: traffic.name, approach: 'click-tally', tuning };
}

/** The first seconds of a traffic, without a warm-up, until all of its clicks are counted. */
export function beginningOf(name: string, seconds: number): Traffic {
  const named = findTraffic(name);
  return { ...named, measureFromSeconds: 0, untilSeconds: seconds, drains: true };
}
