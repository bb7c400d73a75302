import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { maxCodeLength } from '../../lib/keys.ts';
import { maxPageBytes } from '../../lib/links/storage/owned-links.ts';
import { cpuShare } from './cpu.ts';
import { type Price, prices } from './prices.ts';
import { readStage } from './stage.ts';

const bytesPerGb = 2 ** 30;
const bytesPerReadUnit = 4_096;
const maxLinks = 1_000;
/** In an index, with its owner and its time of creation. Assumed. */
const indexKeyBytes = 200;
/** list-links with 1,000 links of 1 kB: its CPU time on a whole vCPU, measured, and its waits, assumed. */
const cpuSeconds = 0.1;
const waitSeconds = 0.1;
const memoryMb = 512;
const httpApiRequestBytes = 512 * 1_024;
/** A day with all values of its breakdowns, and with 20 values of each campaign's parameter. */
const fullDayBytes = 1_100 + 5_300;

/**
 * The price of an hour in which a user sends as many requests as they may, in US dollars: for a page of
 * 1,000 links that has as many bytes as it may, and for the statistics of a link with this number of days.
 * Long texts cost less: then a page has fewer links, and each takes two units instead of one.
 */
export function priceOwner(requestsPerHour: number, days: number) {
  const priceOf = ({ dollars, per }: Price, units: number) =>
    (requestsPerHour * units * dollars) / per;
  const billedSeconds = waitSeconds + cpuSeconds / cpuShare(memoryMb);
  const index = (maxLinks * indexKeyBytes) / bytesPerReadUnit / 2;
  const common = priceOf(prices.httpApiRequest, 1) + priceOf(prices.writeUnit, 1);
  return {
    list:
      common +
      priceOf(prices.httpApiRequest, Math.ceil(maxPageBytes / httpApiRequestBytes) - 1) +
      priceOf(prices.readUnit, maxLinks * 2 + index) +
      priceOf(prices.dataOutGb, maxPageBytes / bytesPerGb) +
      priceOf(prices.logIngestedGb, (maxLinks * (maxCodeLength + '"",'.length)) / bytesPerGb) +
      priceOf(prices.lambdaRequest, 1) +
      priceOf(prices.lambdaGbSecond, (billedSeconds * memoryMb) / 1_024),
    statistics: common + priceOf(prices.readUnit, (days * fullDayBytes) / bytesPerReadUnit),
  };
}

function printPrice(): void {
  const perMinute = readStage().requestsPerUserPerMinute;
  const { list, statistics } = priceOwner(perMinute * 60, 365);
  print(`${perMinute} requests a minute cost, in US dollars an hour:\n`);
  print(`  lists of 1,000 links                            ${list.toFixed(2)}\n`);
  print(`  statistics of 365 days with all their values    ${statistics.toFixed(2)}\n`);
}

if (import.meta.main) {
  const description = "Price an hour of one user's requests, at the stage's limit.";
  await runProgram(createProgram('price:owner', description, 'proofs').action(printPrice));
}
