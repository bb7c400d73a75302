import { count, formatJson, print, printLine } from '../terminal/print.ts';
import type { Drift } from './drifts.ts';
import type { Verification } from './verify-counts.ts';

/** Prints each drift as it is found, and a summary at the end. */
export function createDriftPrinter(json: boolean) {
  let drifts = 0;
  const addDrift = ({ drift, fields, text }: Drift) => {
    const entry = { ...fields, drift };
    if (json) print(`${drifts === 0 ? '{"drifts":[' : ','}\n${formatJson(entry)}`);
    else printLine(`drift ${drift > 0 ? '+' : ''}${drift}  ${text}`);
    drifts += 1;
  };
  const end = (stack: string, verification: Verification, isPartial: boolean) => {
    if (!json) return printLine(summarize(stack, verification, drifts, isPartial));
    const rest = formatJson({ stack, complete: !isPartial, ...verification });
    print(`${drifts === 0 ? '{"drifts":[' : '\n'}],${rest.slice(1)}\n`);
  };
  return { addDrift, end, drifts: () => drifts };
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
