// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import { bug, type PlantedBug } from './function-code.ts';
import { breakdownBugs } from './planted-breakdown-bugs.ts';
import { moduleBugs } from './planted-module-bugs.ts';
import { pageBugs } from './planted-page-bugs.ts';
import { pushBugs } from './planted-push-bugs.ts';

const handler = 'functions/aggregate-clicks.ts';
const commit = 'packages/powertools-idempotency-transactional/src/commit.ts';
const verdict = 'packages/powertools-idempotency-transactional/src/verdict.ts';
const cancellation = 'packages/powertools-idempotency-transactional/src/cancellation.ts';
const transaction = 'packages/powertools-idempotency-transactional/src/transaction.ts';
const send = 'packages/powertools-idempotency-transactional/src/send.ts';
const layer =
  'packages/powertools-idempotency-transactional/src/transactional-persistence-layer.ts';
const publish = 'lib/clicks/publish-click.ts';

const takeAll = (of: string) =>
  `return { kind: 'peel', markers, outcomes: new Map(${of}.map((entry) => [entry, { kind: 'duplicate', payloadHash: entry.payloadHash }])) };`;

/** Sends a transaction in two parts, each by itself. */
const sendInParts = (first: string, second: string) =>
  bug(
    `the marker is written ${first === 'isMarker' ? 'before' : 'after'} the work`,
    send,
    `const { ConsumedCapacity } = await withTimeout(deadlineMs, (abortSignal) =>
      options.client.send(command, { abortSignal }),
    );`,
    `const isMarker = (item, index) => transaction.actions[index].kind !== 'update';
    const isWork = (item, index) => !isMarker(item, index);
    let ConsumedCapacity;
    for (const [index, isPart] of [${first}, ${second}].entries()) {
      const TransactItems = transaction.items.filter(isPart);
      const input = { ...command.input, TransactItems, ClientRequestToken: token.slice(1) + index };
      ({ ConsumedCapacity } = await options.client.send(new TransactWriteItemsCommand(input)));
    }`,
  );

/** Mistakes that others made or that could happen here, as small edits of the service's code. */
export const plantedBugs: PlantedBug[] = [
  bug(
    'any cancelled transaction is taken for a duplicate',
    verdict,
    'if (outcomes.size > 0 ||',
    `if (transaction) ${takeAll('transaction.entries')}\n    if (outcomes.size > 0 ||`,
  ),
  bug(
    'a conflict is taken for a duplicate',
    verdict,
    'if (outcomes.size > 0 ||',
    `if (contended.size > 0) ${takeAll('[...contended]')}\n    if (outcomes.size > 0 ||`,
  ),
  bug(
    'an unknown link is taken for a duplicate',
    cancellation,
    'for (const entry of failed) settle(cancellation, entry, error);',
    "for (const entry of failed) settle(cancellation, entry, { kind: 'duplicate', payloadHash: entry.payloadHash });",
  ),
  bug(
    'a duplicate fails the rest of its transaction',
    verdict,
    "return { kind: 'peel', outcomes, markers };",
    "return { kind: 'fail', error };",
  ),
  bug(
    'what is left after peeling is taken for committed',
    commit,
    'return rest.length > 0 ? [firstAttempt(rest, failures)] : [];',
    "for (const entry of rest) outcomes.set(entry, { kind: 'committed' });\n      return [];",
  ),
  bug(
    'a poisoned item fails its neighbours',
    verdict,
    "if (sharedRejection) return { kind: 'bisect', error: sharedRejection };",
    "if (sharedRejection) return { kind: 'fail', error: sharedRejection };",
  ),
  bug(
    'a commit that ran out of time is taken for done',
    commit,
    'if (deadlineMs <= Date.now()) {',
    "if (deadlineMs <= Date.now()) {\n    return { kind: 'committed' };",
  ),
  bug(
    'a lost answer is taken for a commit',
    commit,
    'const thrown = error instanceof Error ? error : new Error(String(error));',
    `const thrown = error instanceof Error ? error : new Error(String(error));
    if (thrown.name === 'AbortError' || thrown.message === 'ECONNRESET') return { kind: 'committed' };`,
  ),
  bug(
    'one token for all transactions of an instance',
    commit,
    'token: options.newToken(),',
    "token: 'one-for-all',",
  ),
  bug(
    'a repeat in one batch is a duplicate even of what failed',
    commit,
    'if (!(outcome instanceof Error)) {',
    `if (outcome) {
    if (outcome instanceof Error) outcomes.set(entry, { kind: 'duplicate', payloadHash: entry.payloadHash });
    else`,
  ),
  sendInParts('isMarker', 'isWork'),
  sendInParts('isWork', 'isMarker'),
  {
    name: 'two transactions of one link in parallel, and a conflict is final',
    edits: [
      {
        file: 'packages/powertools-idempotency-transactional/src/pack.ts',
        find: 'else lanes.push(bins);',
        replace: 'else lanes.push(...bins.map((bin) => [bin]));',
      },
      {
        file: verdict,
        find: "return isPartial ? { kind: 'split', contended } : { kind: 'retry' };",
        replace: "return { kind: 'fail', error };",
      },
    ],
  },
  bug(
    "the marker's condition is dropped",
    transaction,
    '{ ConditionExpression: isFree(schema) }',
    '{}',
  ),
  bug(
    'an expired marker blocks until it is deleted',
    cancellation,
    'if (expirySeconds < toSeconds(nowMs) || inProgressUntilMs < nowMs) {',
    'if (!item) {',
  ),
  bug(
    "the marker's expiry is compared in milliseconds",
    'packages/powertools-idempotency-transactional/src/entry.ts',
    'Math.ceil(epochMs / 1000)',
    'epochMs',
  ),
  bug('the link need not exist', transaction, '...(requiring.size > 0 && {', '...(!requiring && {'),
  bug(
    'increments of one item overwrite each other',
    transaction,
    '(sums.get(attribute) ?? 0) + by',
    'by',
  ),
  bug(
    'the local cache is filled before the commit',
    layer,
    'const outcome = await this.#loader.load(entry);',
    `this.saveToCache(complete(record, entry));
    const outcome = await this.#loader.load(entry);`,
  ),
  bug(
    'a marker lives shorter than a redrive can take',
    'packages/powertools-idempotency-transactional/src/delivery.ts',
    '(deadLetterRetentionSeconds + queueRetentionSeconds)',
    'deadLetterRetentionSeconds',
  ),
  bug(
    "a marker lives for Powertools' default hour",
    'lib/clicks/aggregator-config.ts',
    'markerTtlSeconds: addUpDeliverySeconds({',
    'markerTtlSeconds: ((_: object) => 3_600)({',
  ),
  bug(
    'the key is the messageId',
    handler,
    'parseClick(record.body)',
    '{ ...parseClick(record.body), id: record.messageId }',
  ),
  bug(
    "the key is the bus's event id",
    'lib/clicks/click.ts',
    'const clickId = detail.clickId || id;',
    'const clickId = id || detail.clickId;',
  ),
  bug(
    'the day is that of the delivery',
    'lib/clicks/click.ts',
    'day: instant.toISOString()',
    'day: new Date(nowMs).toISOString()',
  ),
  bug(
    'a changed payload is taken for a duplicate',
    handler,
    'payloadValidationJmesPath: clickValidation,',
    '',
  ),
  bug(
    'a duplicate is reported as a failure',
    handler,
    "responseHook: () => 'duplicate',",
    "responseHook: () => {\n        throw new Error('duplicate');\n      },",
  ),
  bug('an error is swallowed', handler, '      throw error;', "      return 'counted';"),
  bug(
    'the batch is answered as a success, whatever failed',
    handler,
    'return processor.response();',
    'return { batchItemFailures: [] };',
  ),
  bug(
    'the batch is answered before its commits',
    handler,
    'return await countOnce(parseClick(record.body), context);',
    "countOnce(parseClick(record.body), context).catch(() => {});\n      return 'counted';",
  ),
  bug('FailedEntryCount is ignored', publish, 'if (FailedEntryCount === 0) return;', 'return;'),
  bug('a click that the bus refused goes nowhere', publish, '    await sendToQueue(detail);', ''),
  bug(
    'the way past the bus mints another click id',
    publish,
    'const event = wrapAsBusEvent(detail);',
    'const event = wrapAsBusEvent({ ...detail, clickId: placeClick(detail.code).clickId });',
  ),
  bug(
    'the resolver cannot start',
    publish,
    'const bus = ',
    "throw new Error('planted');\nconst bus = ",
  ),
  ...moduleBugs,
  ...pageBugs,
  ...breakdownBugs,
  ...pushBugs,
];
