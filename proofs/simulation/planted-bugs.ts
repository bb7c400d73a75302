import type { Change } from './function-code.ts';
import { type Roll, rolls } from './simulator.ts';

/** A deliberate bug that the simulation must find. */
export interface PlantedBug {
  name: string;
  /** The kind of violation that it must cause. */
  kind: string;
  changes: Change[];
  /** For a bug that only worlds with two versions show. */
  roll?: Roll;
}

const src = 'packages/powertools-idempotency-transactional/src';

function bug(name: string, kind: string, file: string, ...texts: [string, string][]): PlantedBug {
  return { name, kind, changes: texts.map(([from, to]) => ({ file, from, to })) };
}

/** Each version agrees with itself, so only worlds with both versions show it. */
const versionBugs: PlantedBug[] = rolls.map((roll) => ({
  ...bug(
    `seals are derived in another way, rolled ${roll}`,
    'counted twice',
    'lib/clicks/placed-id.ts',
    ["return hash('sha256', seal, 'base64url')", "return hash('sha512', seal, 'base64url')"],
  ),
  roll,
}));

/** Bugs in the layer, and then in the rest of the service. */
export const plantedBugs: PlantedBug[] = [
  bug('a conflict is taken for a duplicate', 'lost', `${src}/cancellation.ts`, [
    'if (isTransientCode(Code)) return contend(action.parts);',
    `if (isTransientCode(Code)) {
      const { payloadHash } = action.parts[0].entry;
      return settle(action.parts, { kind: 'duplicate', payloadHash });
    }`,
  ]),
  bug(
    'the hash of the payload is ignored',
    'lost',
    `${src}/read-marker.ts`,
    ['hashOfSlot(slotValue, entry.payloadHash)', 'entry.payloadHash'],
    ['item[names.hash]?.S', 'entry.payloadHash'],
  ),
  bug('a lost answer is taken for a commit', 'lost', `${src}/send.ts`, [
    'if (error instanceof TransactionCanceledException) {',
    `if (/Abort|ECONNRESET/.test(String(error))) return;
    if (error instanceof TransactionCanceledException) {`,
  ]),
  bug(
    'each instance numbers its request tokens',
    'needless failure',
    `${src}/send.ts`,
    ['const maxRequestMs = 2_000;', 'const maxRequestMs = 2_000; const numbers = new Map();'],
    [
      'ClientRequestToken: token,',
      `ClientRequestToken: numbers.get(token) ??
        (numbers.set(token, 'token-' + numbers.size), numbers.get(token)),`,
    ],
  ),
  bug('the marker is written before the work', 'sums', `${src}/send.ts`, [
    'export async function sendTransaction(',
    `export async function sendTransaction(client, given, token, deadlineMs) {
      for (const isWork of [false, true]) {
        const isPart = (_, index) => (given.actions[index].kind === 'increment') === isWork;
        const [actions, items] = [given.actions.filter(isPart), given.items.filter(isPart)];
        const part = { ...given, actions, items };
        if (actions.length > 0) await sendOne(client, part, token.slice(1) + +isWork, deadlineMs);
      }
    }
    async function sendOne(`,
  ]),
  bug("the marker's condition is dropped", 'counted twice', `${src}/transaction.ts`, [
    '{ ...put, ConditionExpression: isFree, ExpressionAttributeNames: attributeNames }',
    'put',
  ]),
  bug("a slot's condition is dropped", 'sums', `${src}/transaction.ts`, [
    "areFree.join(' AND ')} AND (",
    "''}(",
  ]),
  bug("a marker lives for Powertools' default hour", 'short marker', `${src}/delivery.ts`, [
    'return sourceRetrySeconds + queueRetentionSeconds + redrivenSeconds;',
    'return 3_600;',
  ]),
  bug('an error is swallowed', 'poison taken for done', 'functions/aggregate-clicks.ts', [
    'return { batchItemFailures };',
    'return { batchItemFailures: [] };',
  ]),
  bug('the day is that of the delivery', 'made up', 'lib/clicks/click.ts', [
    'day: instant.toISOString()',
    'day: new Date(nowMs).toISOString()',
  ]),
  bug('the link need not exist', 'sums', 'lib/clicks/click.ts', [
    'mustExist: true',
    'mustExist: false',
  ]),
  bug('a breakdown is not raised', 'breakdowns', 'lib/clicks/click.ts', [
    "['count', ...breakdowns,",
    "['count', ...breakdowns.slice(1),",
  ]),
  bug("a link's people are not raised", 'breakdowns', 'lib/clicks/click.ts', [
    'name === humanAttribute || name === botAttribute',
    'name === botAttribute',
  ]),
  bug(
    'a value takes a number that another one has',
    'breakdowns',
    'lib/clicks/campaign-values.ts',
    [
      'ConditionExpression: `attribute_not_exists(',
      'ConditionExpression: `attribute_exists(PK) OR attribute_not_exists(',
    ],
  ),
  bug('a value without room is dropped', 'breakdowns', 'lib/clicks/campaign-counters.ts', [
    'if (number === undefined) return',
    "if (number === undefined || number === 'other') return",
  ]),
  bug('an unknown link gets values', 'sums', 'lib/clicks/campaign-values.ts', [
    '[requireLink(code), ...writes]',
    'writes',
  ]),
  bug('a deleted link counts later clicks', 'phantom', 'lib/clicks/click.ts', [
    ', deletedAt: { atLeast: earliestDeletion(at) } }',
    ' }',
  ]),
  bug("a new link counts a deleted link's clicks", 'phantom', 'lib/clicks/click.ts', [
    '{ since: { atMost: at }, ',
    '{ ',
  ]),
  bug('one click decides for all that share its write', 'phantom', `${src}/bounds.ts`, [
    'if (!known || !holds(known.value, bound))',
    'if (!known)',
  ]),
  bug('one late click fails the others', 'needless failure', `${src}/cancellation.ts`, [
    '!isWithin(found, boundsOf(part)) || withoutRoom.has(part)',
    'part',
  ]),
  bug('the way past the bus has another click id', 'counted twice', 'lib/clicks/click-event.ts', [
    'Detail: toAsciiJson(detail)',
    "Detail: toAsciiJson({ ...detail, clickId: detail.clickId + '-bus' })",
  ]),
  bug('a click is forwarded after the answer', 'lost', 'lib/clicks/count-record.ts', [
    'await sendDeadLetters(record, deadLetters);',
    'sendDeadLetters(record, deadLetters).catch(() => undefined);',
  ]),
  bug(
    'a message is done although a click that may succeed later failed',
    'lost',
    'lib/clicks/count-record.ts',
    ['if (!wouldFailAgain) return false;', 'if (!wouldFailAgain) return true;'],
  ),
  bug('a success without proof is believed', 'vanished', 'lib/aws/send-message.ts', [
    'if (MessageId && MD5OfMessageBody === expected) return;',
    'return;',
  ]),
  bug('sheets are begun again', 'repeated id', 'lib/clicks/click-id.ts', [
    'openSheet(this.#mint())',
    "openSheet('A'.repeat(22))",
  ]),
  bug('a visitor is redirected without a click', 'vanished', 'lib/clicks/publish-click.ts', [
    'const { clickId, queue } = placeClick(code);',
    'return; const { clickId, queue } = placeClick(code);',
  ]),
  bug('a link that cannot be read is not served', 'dead link', 'lib/redirect/find-link.ts', [
    'if (!stale) {',
    'if (stale || !stale) {',
  ]),
  bug(
    'a read may take as long as ever',
    'slow visit',
    'lib/redirect/find-link.ts',
    ['const refreshTimeoutMs = 200;', 'const refreshTimeoutMs = 4_000;'],
    ['timeoutMs: readTimeoutMs / 2', 'timeoutMs: 4_000'],
  ),
  bug('an empty answer means that a link is unknown', 'dead link', 'lib/redirect/find-link.ts', [
    'if (!output.ConsumedCapacity) {',
    'if (!output) {',
  ]),
  bug('a repeated deletion is later', 'life', 'lib/links/storage/link-deletion.ts', [
    "'#owner = :from'),",
    "'#owner = :from OR #owner = :to'),",
  ]),
  bug('a deletion is not remembered', 'life', 'lib/links/storage/link-deletion.ts', [
    `'#owner = :from'),
    { Put: { Item: deletionKey(deletedAt, code) } },`,
    "'#owner = :from'),",
  ]),
  bug('a code is free before its days are gone', 'life', 'lib/links/storage/link-deletion.ts', [
    'for (const some of chunk(days, daysAtOnce)) {',
    'for (const some of []) {',
  ]),
  ...versionBugs,
];
