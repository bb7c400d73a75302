import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { dollarsOf } from './costs.ts';
import type { Units } from './usage.ts';

/**
 * Metrics of the alarms that a standby adds: the home Region's `ReplicationFailing` has two, and the
 * standby's two alarms have one each. A test counts them in infra/.
 */
export const standbyAlarmMetrics = 4;

/**
 * An edit at home writes `CHANGE#<code>` in a transaction (two units), which makes the link's own update
 * a part of a transaction, too (one more). replicate-links reads the link and writes it to the standby.
 */
const writeUnitsPerEdit = 4;
const readUnitsPerEdit = 1;
/** An invocation of replicate-links for a single change, with two requests, one to the other Region. Assumed. */
const invocationSeconds = 0.15;
const memoryMb = 512;

/** A month without edits or visitors. Lambda's polls of the table's stream are free. */
export const unitsAtRest: Units = { alarmMetricMonth: standbyAlarmMetrics };

/** Edits that each cause an invocation. Lambda may deliver up to 100 in one. */
export function countEdits(edits: number): Units {
  return {
    writeUnit: edits * writeUnitsPerEdit,
    readUnit: edits * readUnitsPerEdit,
    lambdaRequest: edits,
    lambdaGbSecond: (edits * invocationSeconds * memoryMb) / 1_024,
  };
}

/** A redirect's click passes the standby's bus, and then the home Region's. */
export const countForwardedClicks = (clicks: number): Units => ({ customEvent: clicks });

function printPrice(): void {
  const dollars = (units: Units) => dollarsOf({ standby: units });
  print('A standby costs, in US dollars:\n\n');
  print(`  a month at rest                ${dollars(unitsAtRest).toFixed(2)}\n`);
  print(`  a thousand edits               ${dollars(countEdits(1_000)).toFixed(4)}\n`);
  print(
    `  a million redirects there      ${dollars(countForwardedClicks(1_000_000)).toFixed(2)}\n`,
  );
}

if (import.meta.main) {
  const description = 'Price what a standby adds: a month at rest, edits and redirects.';
  await runProgram(createProgram('price:standby', description, 'proofs').action(printPrice));
}
