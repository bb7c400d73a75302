import { readAggregatorConfig } from '../../lib/clicks/aggregator-config.ts';
import { environmentOf, readSettings } from '../simulation/stage-settings.ts';

type Defines = Record<string, number | string>;

/** What SPIN is to check: the model with these bounds, or a mutant of it. */
export interface Configuration {
  name: string;
  text: string;
  /** The CI checks it with each change, and not only the nightly workflow. */
  isQuick: boolean;
  defines: Defines;
  /** Lines of protocol.pml, and what there is instead. */
  changes: [from: string, to: string][];
  /** What a mutant's counterexample must end with. */
  flaw: string;
}

const daySeconds = 86_400;
const [settings] = readSettings();
if (!settings) throw new Error('expected a stage');
const aggregator = environmentOf('aggregator', settings);
const inDays = (ms: number) => ms / 1_000 / daySeconds;

/** Defines what protocol.pml leaves open. The retention periods are those of serverless.yml. */
const defaults: Defines = {
  BUS: inDays(settings.busRetryMs),
  QUEUE: inDays(settings.queueRetentionMs),
  DEAD_LETTER: inDays(settings.deadLetterRetentionMs),
  ...parse(`CLICKS=2 MESSAGES=3 CONSUMERS=2 BATCH=2 REQUESTS=3 COPIES=1 RECEIVES=1 KEY=clickOf STEPS=0 EARLY=1
    MAX_DAY=0 OVERNIGHT=0 REUSE=0 REDRIVES=0 ON_SHEET=0 CHANGED=0 UNKNOWN=0 CALM=0 STEADY=0 TELLS=0`),
};
/** A marker's lifetime in days, as the aggregator derives it from these periods. */
function markerDays({ BUS, QUEUE, DEAD_LETTER }: Defines): number {
  const seconds = (days?: number | string) => String(Number(days) * daySeconds);
  const { markerTtlSeconds } = readAggregatorConfig({
    ...aggregator,
    BUS_RETRY_SECONDS: seconds(BUS),
    QUEUE_RETENTION_SECONDS: seconds(QUEUE),
    DEAD_LETTER_RETENTION_SECONDS: seconds(DEAD_LETTER),
  });
  return markerTtlSeconds / daySeconds;
}

const one = 'CLICKS=1 MESSAGES=1';
const two = 'CLICKS=1 MESSAGES=2';
const alone = 'CONSUMERS=1 REQUESTS=2';
const dated = 'BATCH=1 REQUESTS=2 EARLY=0 REDRIVES=1';
const deployed = `${dated} ${two} CONSUMERS=1 MAX_DAY=${markerDays(defaults) + 1}`;
const overnight = `BATCH=1 REQUESTS=2 EARLY=0 STEADY=1 ON_SHEET=2 OVERNIGHT=1 BUS=1 QUEUE=1 DEAD_LETTER=1 MAX_DAY=6`;
const reuse = 'BATCH=1 KEY=firstOf REUSE=1 EARLY=0 BUS=1 QUEUE=1 DEAD_LETTER=1 MAX_DAY=8';
const ending = `${alone} REDRIVES=1 CALM=1`;
const anyCancellation = `
  -> when(has(rejected, j), outcome(who, j) = failed) => -> outcome(who, j) = duplicate`;
const newTokens = String.raw`
  nobody hears the answer\n"); forgetToken(r) => nobody hears the answer\n"); drop(r)
  when(shown != 0 || => when(true ||`;

/** Each is explored exhaustively, and nothing may go wrong. The CI checks those with a star. */
export const configurations = readTable(`
late copies* | one click, two messages, two receives; requests come late and twice | - | ${two} COPIES=2 RECEIVES=2
batches | two clicks, three messages, one a copy or a changed payload; one marker on a sheet | - | CHANGED=1 ON_SHEET=1
redelivery | two clicks, one of an unknown link; two receives and a redrive | - | MESSAGES=2 REDRIVES=1 REQUESTS=2 UNKNOWN=1 RECEIVES=2
days* | one click, two messages, a redrive; serverless.yml's retentions | - | ${deployed} STEADY=1
overnight | two clicks on one sheet, three messages; requests last past midnight | - | ${overnight}
reuse | an id that is used again once its marker has expired, which TTL deletes late or never | - | ${reuse}
told* | who waits for the request that counts a click is told so, while tokens are remembered | - | MESSAGES=2 COPIES=2 TELLS=1
new tokens | a retry has a new token, which the code never does: nothing is miscounted | - | ${two} RECEIVES=2 ${newTokens}
liveness | once the faults end, every countable click is counted | - | ${ending}
`);

const twice = 'counted twice';
const lost = 'deleted although its click was not counted';
const dropped = 'neither counted nor a dead letter';
const untold = 'told that it is a duplicate';
const sums = 'not the sum of the days';

/** Each must be refuted, for the reason after its text. The first ones are designs that count otherwise. */
export const mutants = readTable(`
claim-message-id* | claims the SQS message id, then works | ${dropped} | ${one} STEPS=CLAIM_FIRST KEY=messageOf RECEIVES=2
claim-short-ttl | the same, with a claim that expires before the visibility timeout | ${twice} | ${one} STEPS=CLAIM_FIRST KEY=messageOf RECEIVES=2
  messages[m].receives++; => when(messages[m].receives > 0, marker(m).exists = 0); messages[m].receives++;
claim-event-id | claims the event's id, then works | ${dropped} | ${one} STEPS=CLAIM_FIRST KEY=eventOf RECEIVES=2
work-then-record | works, then records the event | ${twice} | ${one} STEPS=RECORD_AFTER KEY=eventOf RECEIVES=2
hand-rolled | one transaction; any cancellation is taken for a duplicate | ${lost} | ${one} ${anyCancellation}
hand-rolled-careful | one transaction, keyed by the event's id | ${twice} | ${alone} ${two} KEY=eventOf
powertools | Powertools' own layer around plain increments | ${twice} | ${one} STEPS=STOCK RECEIVES=2
naive | counts each receipt | ${twice} | ${one} STEPS=NAIVE RECEIVES=2
short life | a marker lives a day less than the longest path | ${twice} | ${deployed} STEADY=1 LIFE=${markerDays(defaults) - 1}
redrive by the copy's age | an operator redrives whatever the dead-letter queue still has | ${twice} | ${deployed} STEADY=1
  && now - sent[clickOf(m)] <= ENTER) => )
one slot checked | a sheet's condition checks the first slot only | ${twice} | ${alone} ON_SHEET=2
  blocks(r, p, m) (marker(m).exists => blocks(r, p, m) (marker(m).exists && (p == 0 || entry(r, 0) == NONE)
one slot set | a sheet's update sets the first slot only | ${twice} | ${alone} ON_SHEET=2
  marker(m).exists = 1; => marker(m).exists = (j == 0);
expiry moved back | a sheet's expiry is that of the transaction that came last | ${twice} | ${overnight}
  (sheetUntil < last_ -> last_ : sheetUntil) => last_
replaced unconditionally | who has seen an expired marker replaces whatever is there | ${twice} | ${reuse}
  && !isOnSheet(m) && hasExpired(m)) => && !isOnSheet(m))
expired is a duplicate | an expired marker blocks until TTL deletes it | ${lost} | ${reuse}
  :: has(shown, j) && !isOnSheet(x) && hasExpired(x) -> => :: false ->
cached for ever | the cache ignores a record's expiry | ${lost} | ${reuse}
  (cached(m, i).until > now) => (cached(m, i).until > 0)
cached before the commit* | Powertools' cache is filled as the request is sent | ${lost} | ${one} RECEIVES=2
  requests[r].flying = 1; => each(j) { when(has(some, j), cached(batch(i, j), i).until = 1 + LIFE) } requests[r].flying = 1;
cached payload unchecked | a cached key's payload is not compared | ${lost} | ${alone} ${two} CHANGED=1
  (isSame(cached(m, i).day, m) -> duplicate : failed) => duplicate
payload unchecked | a marker's payload is not compared | ${lost} | ${alone} ${two} CHANGED=1
  :: isSame(marker(m).day, m) -> => :: true ->
repeat unchecked | a repeat in the batch shares the outcome, whatever its payload | ${lost} | ${alone} ${two} CHANGED=1
  && isSame(messages[batch(i, k)].day, batch(i, j)) => && true
new token | a retry has a new token, so a counted click is reported as a duplicate | ${untold} | ${one} TELLS=1 ${newTokens}
told after giving up | a consumer may give up a request whose late copy then counts | ${untold} | MESSAGES=2 COPIES=2 TELLS=1
  requests[r].owner + 1 : 0) => requests[r].owner + 1 : requests[r].gaveUp)
token without marker | relies on the request token alone, which DynamoDB forgets | ${twice} | ${one}
  marker(m).exists = 1; => marker(m).exists = 0;
unproven commit | a success without proof is taken for a commit | ${lost} | ${one}
  land(me); forgetToken(me); tidy(); => land(me); when(requests[me].owner != NONE, readCommit(me)); tidy();
conflict is a duplicate | a conflict is taken for a duplicate | ${lost} | ${one}
  -> when(has(rejected, j), => -> when(has(contended, j), outcome(who, j) = duplicate); when(has(rejected, j),
missing is a duplicate | a failed condition at the link is taken for a duplicate | ${lost} | ${one} UNKNOWN=1
  outcome(who, j) = failed) => outcome(who, j) = duplicate)
neighbours are committed | a duplicate's neighbours in a cancelled transaction are taken for committed | ${lost} | ${alone}
  -> when(has(rejected, j), => -> when(shown != 0, outcome(who, j) = counted); when(has(rejected, j),
failures are reported as done | the batch's failures are not reported | ${lost} | ${one} UNKNOWN=1
  when(isDone(i, j), => when(j < consumers[i].size,
link unchecked | does not require the link to exist | does not exist has clicks | ${one} UNKNOWN=1
  when(!linkExists(messages[x].link) => when(false && !linkExists(messages[x].link)
torn | raises the day in a request of its own | ${sums} | ${one}
  LIFE); count(x); countDay(x); => LIFE); count(x);
  outcome(who, j) = counted; => countDay(x); outcome(who, j) = counted;
never counted | hand-rolled again, once the faults end | never counted | ${ending} ${two} ${anyCancellation}
retried for ever | the same request goes again, whatever cancelled it | never counted | ${ending}
  when(shown != 0 || rejected != 0 || contended != mask, drop(r)); => skip;
`);

function parse(defines: string): Defines {
  return Object.fromEntries(defines.split(/\s+/).map((define) => define.split('=')));
}

function readTable(table: string): Configuration[] {
  const rows = table.matchAll(/^(.+?)(\*?) \| (.+) \| (.+) \| (.+)\n((?: .+\n)*)/gm);
  return Array.from(rows, ([, name = '', star, text = '', flaw = '', given = '', lines = '']) => {
    const all: Defines = { ...defaults, ...parse(given.trim()) };
    const KEYS = { clickOf: all.CLICKS, firstOf: 1 }[String(all.KEY)] ?? 2 * Number(all.MESSAGES);
    const changes = Array.from(lines.matchAll(/^ +(.+) => (.*)$/gm), ([, from = '', to = '']) => {
      return [from, to] as [string, string];
    });
    const defines = { LIFE: markerDays(all), ...all, KEYS: KEYS ?? '' };
    return { name, text, flaw, isQuick: star === '*', defines, changes };
  });
}
