import { count, formatJson, print, printLine } from '../terminal/print.ts';
import type { Drift, Verification } from './verify-counts.ts';

/** Prints each drift as it is found, and a summary at the end. */
export function createDriftPrinter(json: boolean) {
  let drifts = 0;
  const addDrift = (drift: Drift) => {
    if (json) print(`${drifts === 0 ? '{"drifts":[' : ','}\n${formatJson(drift)}`);
    else printLine(describeDrift(drift));
    drifts += 1;
  };
  const end = (stack: string, verification: Verification, isPartial: boolean) => {
    if (!json) return printLine(summarize(stack, verification, drifts, isPartial));
    const rest = formatJson({ stack, complete: !isPartial, ...verification });
    print(`${drifts === 0 ? '{"drifts":[' : '\n'}],${rest.slice(1)}\n`);
  };
  return { addDrift, end, drifts: () => drifts };
}

function describeDrift(drift: Drift): string {
  const amount = `${drift.drift > 0 ? '+' : ''}${drift.drift}`;
  return `drift ${amount}  ${describeCounts(drift)}`;
}

function describeCounts(drift: Drift): string {
  switch (drift.kind) {
    case 'total': {
      const { code, of, total, sumOfDays } = drift;
      const name = of === 'clicks' ? 'total' : `number of ${of}`;
      const found = total === null ? 'the link does not exist' : `the ${name} is ${total}`;
      return `${code}: ${found}, but its days sum to ${sumOfDays}`;
    }
    case 'day': {
      const { code, day, count, markers } = drift;
      return `${code} ${day}: the day's count is ${count}, but the number of markers is ${markers}`;
    }
    case 'days': {
      const { days, count, markers } = drift;
      const names = days.map(({ code, day }) => `${code} ${day}`).join(', ');
      return `${names}: their counts sum to ${count}, but the number of markers is ${markers}`;
    }
    case 'breakdown': {
      const { code, day, breakdown, count, sum } = drift;
      return `${code} ${day}: the day's count is ${count}, but its ${breakdown} values sum to ${sum}`;
    }
    case 'slots':
      return `hash ${drift.hash}: found in ${count(drift.slots, 'slot')}, but not in any link's day`;
  }
}

function summarize(
  stack: string,
  { links, clicks, days, recounted, markers, since, unconfirmed }: Verification,
  drifts: number,
  isPartial: boolean,
): string {
  if (isPartial) return 'Stopped before the end; the rest of the table was not checked.';
  return [
    `Checked ${count(links, 'link')} (${count(clicks, 'click')}) of ${stack}.`,
    `Compared ${count(recounted, 'click')} on ${count(days, 'day')} since ${since} with ${count(markers, 'marker')}.`,
    clicks > recounted
      ? `Earlier days (${count(clicks - recounted, 'click')}) weren't compared.`
      : '',
    unconfirmed > 0 ? `${count(unconfirmed, 'total')} changed too fast to compare.` : '',
    drifts > 0 ? `${count(drifts, 'drift')}.` : 'No drift.',
  ]
    .filter(Boolean)
    .join(' ');
}
