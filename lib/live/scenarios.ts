import { InvalidClickError, parseClick } from '../clicks/click.ts';
import { type ClickDetail, describeClick } from '../clicks/click-event.ts';
import type { Visit } from '../clicks/visit.ts';
import type { Scenario } from './try-request.ts';

/** The clicks that a scenario sends. */
interface TriedClicks {
  run: string;
  code: string;
  visit: Visit;
  at: Date;
}

interface Messages {
  details: ClickDetail[];
  /** How many clicks will count. */
  clicks: number;
  /** Why the message will be set aside. */
  reason?: string;
}

/** The id of a run's click, from 1. */
export function triedClickId(run: string, number: number): string {
  return `${run}-${number}`;
}

const builders: Record<Scenario, (tried: TriedClicks) => Messages> = {
  one: (tried) => ({ details: [describe(tried, 1)], clicks: 1 }),
  twice: (tried) => {
    const detail = describe(tried, 1);
    return { details: [detail, detail], clicks: 1 };
  },
  hundred: (tried) => {
    const clicks = 100;
    const details = Array.from({ length: clicks }, (_, index) => describe(tried, index + 1));
    const copies = details.filter((_, index) => (index + 1) % 10 === 0);
    return { details: [...details, ...copies], clicks };
  },
  broken: (tried) => {
    const detail = describe(tried, 1);
    // A time without a zone, as producers send it by mistake.
    const broken = { ...detail, at: detail.at.replace('Z', '') };
    return { details: [broken], clicks: 0, reason: explainRefusal(broken) };
  },
};

/** Builds the messages of a scenario; a copy is the same message once more. */
export function buildMessages(scenario: Scenario, tried: TriedClicks): Messages {
  return builders[scenario](tried);
}

function describe({ run, code, visit, at }: TriedClicks, number: number): ClickDetail {
  return describeClick(triedClickId(run, number), code, visit, at);
}

/** The aggregator's own reason to refuse a click. */
function explainRefusal(detail: ClickDetail): string {
  try {
    parseClick(JSON.stringify({ id: detail.clickId, detail }));
  } catch (error) {
    if (error instanceof InvalidClickError) return error.message;
    throw error;
  }
  throw new Error('expected the broken click to be refused; it was accepted');
}
