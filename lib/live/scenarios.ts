import { InvalidClickError, parseClick } from '../clicks/click.ts';
import { type ClickDetail, describeClick } from '../clicks/click-event.ts';
import type { Visit } from '../clicks/visit.ts';
import type { Scenario } from './try-request.ts';

interface RunRequest {
  run: string;
  code: string;
  visit: Visit;
  at: Date;
}

interface Messages {
  details: ClickDetail[];
  /** The number of clicks that will count. */
  clicks: number;
  /** Why the message will be set aside. */
  reason?: string;
}

/** Clicks are numbered from 1. */
export function runClickId(run: string, number: number): string {
  return `${run}-${number}`;
}

const builders: Record<Scenario, (request: RunRequest) => Messages> = {
  one: (request) => ({ details: [describeRunClick(request, 1)], clicks: 1 }),
  twice: (request) => {
    const detail = describeRunClick(request, 1);
    return { details: [detail, detail], clicks: 1 };
  },
  hundred: (request) => {
    const clicks = 100;
    const details = Array.from({ length: clicks }, (_, index) =>
      describeRunClick(request, index + 1),
    );
    const copies = details.filter((_, index) => (index + 1) % 10 === 0);
    return { details: [...details, ...copies], clicks };
  },
  broken: (request) => {
    const detail = describeRunClick(request, 1);
    // Producers often leave out the zone by mistake.
    const broken = { ...detail, at: detail.at.replace('Z', '') };
    return { details: [broken], clicks: 0, reason: explainRefusal(broken) };
  },
};

export function buildMessages(scenario: Scenario, request: RunRequest): Messages {
  return builders[scenario](request);
}

function describeRunClick({ run, code, visit, at }: RunRequest, number: number): ClickDetail {
  return describeClick(runClickId(run, number), code, visit, at);
}

/** The aggregator's reason for rejecting a click. */
function explainRefusal(detail: ClickDetail): string {
  try {
    parseClick(JSON.stringify({ id: detail.clickId, detail }));
  } catch (error) {
    if (error instanceof InvalidClickError) return error.message;
    throw error;
  }
  throw new Error('expected the broken click to be refused; it was accepted');
}
