import { readSettings } from '../simulation/stage-settings.ts';

type Defines = Record<string, number | string>;

/** What SPIN is to check: the model with these bounds or flaws. */
export interface Configuration {
  name: string;
  text: string;
  defines: Defines;
}

const dayMs = 86_400_000;
const [settings] = readSettings();
if (!settings) throw new Error('expected a stage');
const days = {
  BUS: settings.busRetryMs / dayMs,
  QUEUE: settings.queueRetentionMs / dayMs,
  DEAD_LETTER: settings.deadLetterRetentionMs / dayMs,
};
const markerDays = days.BUS + 2 * days.QUEUE + days.DEAD_LETTER;

/** Defines what the model leaves open; protocol.pml says what each means. The second link does not exist. */
export const defaults: Defines = {
  ...days,
  ...parse(`CLICKS=2 MESSAGES=3 CONSUMERS=2 BATCH=2 REQUESTS=3 COPIES=2 RECEIVES=2 LINKS=2 DAYS=2 SHEETS=1
    NUMBER=byte KEY=clickOf STEPS=0 MARKERS=1 CHECKS_PAYLOAD=1 REQUIRES_LINK=1 EARLY=1 CACHES=1 MAX_DAY=0
    REDRIVES=0 ON_SHEET=0 CHANGED=0 UNKNOWN=0 CALM=0 STEADY=0 EVICTS=0 TELLS=0 SHORT_CLAIM=0 TORN=0
    CANCELLED_IS_DUPLICATE=0 NEW_TOKENS=0 LATE_REDRIVE=0 ONE_SLOT=0`),
};

const small = 'COPIES=1 RECEIVES=1';
const one = 'CLICKS=1 MESSAGES=1 COPIES=1';
const alone = `CONSUMERS=1 REQUESTS=2 ${small}`;
const ending = `${small} REDRIVES=1 REQUESTS=2 CALM=1`;
const dated = `${alone} CLICKS=1 MESSAGES=2 BATCH=1 STEADY=1 REDRIVES=1 EARLY=0 MAX_DAY=${markerDays + 1}`;
const shorter = 'BUS=1 QUEUE=1 DEAD_LETTER=2 MAX_DAY=9';

/** Each is explored exhaustively, and nothing may go wrong. */
export const configurations = readTable(`
late copies | one click, two messages; requests come late and twice | CLICKS=1 MESSAGES=2
batches | two clicks, three messages, one a copy or a changed payload | ${small} CHANGED=1
sheet | the same, with both markers on one sheet | ${small} CHANGED=1 ON_SHEET=2
redelivery | two clicks, one of an unknown link; two receives and a redrive | MESSAGES=2 COPIES=1 REDRIVES=1 REQUESTS=2 UNKNOWN=1
days | late copies and redrives up to day ${markerDays}; TTL deletes late or never | ${dated}
days of a sheet | two clicks on one sheet, three messages, shorter retentions | ${dated} ${shorter} CLICKS=2 MESSAGES=3 ON_SHEET=2
told | the consumer that counts a click hears so, while tokens are remembered | ${small} MESSAGES=2 TELLS=1
new tokens | a retry has a new token, which the code never does: nothing is miscounted | CLICKS=1 MESSAGES=2 COPIES=1 NEW_TOKENS=1
liveness | once the faults end, every countable click is counted | ${ending} CLICKS=1 MESSAGES=2
`);

/** Each must be refuted. */
export const variants = readTable(`
claim-message-id | claims the SQS message id, then works | ${one} STEPS=CLAIM_FIRST KEY=messageOf
claim-short-ttl | the same, with a claim that expires before the visibility timeout | ${one} STEPS=CLAIM_FIRST KEY=messageOf SHORT_CLAIM=1
claim-event-id | claims the event's id, then works | ${one} STEPS=CLAIM_FIRST KEY=eventOf
work-then-record | works, then records the event | ${one} STEPS=RECORD_AFTER KEY=eventOf
hand-rolled | one transaction; any cancellation is taken for a duplicate | ${one} CANCELLED_IS_DUPLICATE=1
hand-rolled-careful | one transaction, keyed by the event's id | ${alone} CLICKS=1 MESSAGES=2 KEY=eventOf
powertools | Powertools' own layer around plain increments | ${one} STEPS=STOCK
naive | counts each receipt | ${one} STEPS=NAIVE
short life | a marker lives a day less than the longest path | ${dated} LIFE=${markerDays - 1}
redrive after expiry | an operator redrives whatever is in the dead-letter queue | ${dated} LATE_REDRIVE=1
one slot checked | a sheet's condition checks the first slot only | ${alone} ON_SHEET=2 ONE_SLOT=1
new token | a retry has a new token, so a counted click is reported as a duplicate | ${one} NEW_TOKENS=1 TELLS=1
token without marker | relies on the request token alone, which DynamoDB forgets | ${one} RECEIVES=1 MARKERS=0
unchecked payload | does not compare payloads | ${alone} CLICKS=1 MESSAGES=2 CHANGED=1 CHECKS_PAYLOAD=0
unchecked link | does not require the link to exist | ${one} UNKNOWN=1 REQUIRES_LINK=0
torn | raises the day in a request of its own | ${one} TORN=1
never counted | hand-rolled again: not counted even once the faults end | ${one} ${ending} CANCELLED_IS_DUPLICATE=1
`);

function parse(defines: string): Defines {
  return Object.fromEntries(defines.split(/\s+/).map((define) => define.split('=')));
}

function readTable(table: string): Configuration[] {
  const rows = table.matchAll(/^(.+) \| (.+) \| (.+)$/gm);
  return Array.from(rows, ([, name = '', text = '', given = '']) => {
    const all = { ...defaults, ...parse(given) };
    const LIFE = Number(all.BUS) + 2 * Number(all.QUEUE) + Number(all.DEAD_LETTER);
    return { name, text, defines: { KEYS: 2 * Number(all.MESSAGES), LIFE, ...all } };
  });
}
