// A framework plugin that stops a command, with a one-line error, if its settings would lose clicks
// or can't be deployed. It warns if they don't suit the Region.

/** @typedef {import('./stage-settings.ts').StageSettings} Settings */

const { reserveMs } = require('../lib/clicks/batch-parts.ts');
const { maxClicksInEnvelope } = require('../lib/clicks/envelope-limit.ts');
const { queueCounts, toQueueCount } = require('./click-queues.cjs');
const putEventsQuota = require('./put-events-quota.cjs');

// A function's other variables, three of them with domains, take less than 1 KB of Lambda's 4 KB.
const maxListBytes = 3_072;
const metricLevels = ['TRACE', 'DEBUG', 'INFO'];
// Web ACLs and certificates for CloudFront exist only in this Region.
const edgeRegion = 'us-east-1';
const domainPattern = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u;

/**
 * The first param whose list of domains is too long, and its size in bytes.
 *
 * @param {Settings} settings
 */
const findLongList = ({ domainLists }) =>
  Object.entries(domainLists)
    .map(([param, list]) => ({ param, bytes: Buffer.byteLength(`${list}`) }))
    .find(({ bytes }) => bytes > maxListBytes);

/**
 * The first param with an invalid domain in its list, and that entry.
 *
 * @param {Settings} settings
 */
const findInvalidDomain = ({ domainLists }) =>
  Object.entries(domainLists)
    .flatMap(([param, list]) =>
      `${list}`.split(',').map((entry) => ({ param, entry: entry.trim() })),
    )
    .find(({ entry }) => entry !== '' && !domainPattern.test(entry));

const counts = queueCounts.join(', ');

/**
 * Removing a stage, or reading its log, doesn't write a template.
 *
 * @param {Settings} settings
 */
const isDeployed = ({ command }) => ['package', 'deploy'].includes(command);

// click-tally-<stage>-authorize-connection has Lambda's 64 characters, and the backup vault's name
// (infra/table.yml) the vault's 50.
/** @param {Settings} settings */
const maxStageLength = ({ backupDays }) => (`${backupDays}` === '0' ? 31 : 25);
// Cognito rejects them anywhere in the prefix of a domain (infra/auth.yml).
const reservedWord = /aws|amazon|cognito/;

/**
 * What AWS accepts, and for resolve-link's links at most a day:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RetryPolicy.html
 *
 * @type {{ param: keyof import('./stage-settings.ts').Numbers, least: number, most: number }[]}
 */
const ranges = [
  { param: 'batchSize', least: 1, most: 10_000 },
  { param: 'batchWindowSeconds', least: 0, most: 300 },
  { param: 'maximumConcurrency', least: 2, most: 1_000 },
  { param: 'aggregatorTimeoutSeconds', least: 1, most: 900 },
  { param: 'visibilityTimeoutSeconds', least: 1, most: 43_200 },
  { param: 'maxReceiveCount', least: 1, most: 1_000 },
  { param: 'busRetrySeconds', least: 60, most: 86_400 },
  { param: 'queueRetentionSeconds', least: 60, most: 1_209_600 },
  { param: 'deadLetterRetentionSeconds', least: 60, most: 1_209_600 },
  { param: 'staleLinkSeconds', least: 0, most: 86_400 },
];

/**
 * The params that aren't whole numbers in AWS's range.
 *
 * @param {Settings} settings
 */
const listOutOfRange = ({ numbers }) =>
  ranges.filter(({ param, least, most }) => {
    const value = `${numbers[param]}`;
    return !/^\d+$/.test(value) || Number(value) < least || Number(value) > most;
  });

/**
 * The number of batches that all queues may process at once, and the number the stage reserves.
 *
 * @param {Settings} settings
 */
const readConcurrency = ({ clickQueues, concurrency }) => ({
  most: Number(toQueueCount(clickQueues.all)) * concurrency.ofQueue,
  reserved: concurrency.reserved.aggregateClicks,
});

// Autoscaling takes minutes for each step (docs/costs-and-speed.md#what-limits-a-stage).
const leastSecondsOfAttempts = 3_600;

/** @param {Settings} settings */
const secondsOfAttempts = ({ numbers: { visibilityTimeoutSeconds, maxReceiveCount } }) =>
  visibilityTimeoutSeconds * maxReceiveCount;

/**
 * The clicks of a full batch with one full envelope. Of more, an invocation starts as many as fit into its time
 * (lib/clicks/batch-parts.ts).
 *
 * @param {Settings} settings
 */
const clicksOfBatch = ({ numbers: { batchSize } }) => Number(batchSize) - 1 + maxClicksInEnvelope;

/**
 * The time that they need if each is by a new visitor on a link of its own, in seconds: CPU time as measured in
 * proofs/capacity/cpu.ts, waiting for DynamoDB, and the time to report failures.
 *
 * @param {Settings} settings
 */
const secondsOfBatch = (settings) => {
  const cpuShare = Math.min(1, settings.numbers.aggregatorMemoryMb / 1_769);
  return (reserveMs + clicksOfBatch(settings) * (1.1 / cpuShare + 0.35)) / 1_000;
};

/** Without a default: infra/edge.yml explains the first five, and the local stack sets the last. */
const paramsWithoutDefault = [
  'webAclArn',
  'edgeCertificateArn',
  'originSecret',
  'firstOriginSecret',
  'secondOriginSecret',
  'packages',
];

/**
 * The params of the stages and of the command line that nothing reads.
 *
 * @param {Settings} settings
 */
const listUnknownParams = ({ params, givenParams }) => {
  const known = new Set([...Object.keys(params.default), ...paramsWithoutDefault]);
  return [
    ...new Set([
      ...Object.values(params).flatMap(Object.keys),
      ...givenParams.map((given) => given.replace(/=.*/s, '')),
    ]),
  ].filter((param) => !known.has(param));
};

/**
 * The kinds of requests for which a stage's requestsPerSecond has no limit.
 *
 * @param {Settings} settings
 */
const listMissingLimits = ({ params }) =>
  Object.values(params).flatMap(({ requestsPerSecond = params.default.requestsPerSecond }) => {
    /** @type {Record<string, number>} */
    const limits = requestsPerSecond;
    return Object.keys(params.default.requestsPerSecond).filter(
      (kind) => !((limits[kind] ?? 0) > 0),
    );
  });

/**
 * @typedef {{
 *   applies: (settings: Settings) => boolean,
 *   explain: (settings: Settings) => string,
 * }} SettingsCheck
 */

/**
 * Each check tests the settings under `custom.checkedSettings` in serverless.yml and those in
 * infra/edge.yml, and explains its reason.
 *
 * @type {SettingsCheck[]}
 */
const errors = [
  {
    // A param that an upgrade renamed would deploy a production whose data isn't protected.
    applies: (settings) => listUnknownParams(settings).length > 0,
    explain: (settings) =>
      `expected the params for ${settings.stage} to be among serverless.yml's defaults; got ` +
      `${listUnknownParams(settings).join(', ')}. Correct the name, or see in CHANGELOG.md what replaces it.`,
  },
  {
    // API Gateway would use the account's limit, which is far too high.
    applies: (settings) => listMissingLimits(settings).length > 0,
    explain: (settings) =>
      'expected requestsPerSecond of each stage to limit every kind of request; got none for ' +
      `${listMissingLimits(settings).join(', ')}. See docs/settings.md.`,
  },
  {
    // A typo would deploy an unprotected production.
    applies: ({ stage, stages, ownStage, anyStage }) =>
      !stages.includes(stage) &&
      !new RegExp(`^${ownStage}[a-z0-9-]+$`).test(stage) &&
      `${anyStage}` !== 'true',
    explain: ({ stage, stages, ownStage }) =>
      `expected the stage to be ${stages.join(', ')}, or ${ownStage}<name> for your own stage ` +
      `(a-z, 0-9, -); got ${stage}. If the name is right, add --param anyStage=true.`,
  },
  {
    applies: (settings) => isDeployed(settings) && settings.stage.length > maxStageLength(settings),
    explain: (settings) =>
      `expected the stage's name to have at most ${maxStageLength(settings)} characters` +
      `${maxStageLength(settings) < 31 ? ' with backupDays' : ''}; got ${settings.stage.length}. ` +
      'AWS limits the names that contain it.',
  },
  {
    applies: (settings) =>
      isDeployed(settings) &&
      (reservedWord.test(settings.stage) ||
        (`${settings.anyStage}` === 'true' && !/^[a-z0-9-]+$/.test(settings.stage))),
    explain: ({ stage }) =>
      "expected the stage's name to have only a-z, 0-9 and -, and not to contain aws, amazon or " +
      `cognito; got ${stage}. Cognito rejects a domain with that name.`,
  },
  {
    applies: (settings) => isDeployed(settings) && listOutOfRange(settings).length > 0,
    explain: (settings) =>
      listOutOfRange(settings)
        .map(
          ({ param, least, most }) =>
            `expected the param ${param} of ${settings.stage} to be a whole number from ${least} to ` +
            `${most}; got ${settings.numbers[param]}.`,
        )
        .join('\n'),
  },
  {
    applies: (settings) =>
      isDeployed(settings) &&
      Number(settings.numbers.batchSize) > 10 &&
      Number(settings.numbers.batchWindowSeconds) === 0,
    explain: ({ stage, numbers }) =>
      `expected the param batchWindowSeconds of ${stage} to be at least 1, because batchSize is ` +
      `${numbers.batchSize}; got 0. Lambda gathers more than 10 messages only within a window.`,
  },
  {
    applies: (settings) =>
      isDeployed(settings) &&
      Number(settings.numbers.visibilityTimeoutSeconds) <
        Number(settings.numbers.aggregatorTimeoutSeconds),
    explain: ({ stage, numbers }) =>
      `expected the param visibilityTimeoutSeconds of ${stage} to be at least aggregatorTimeoutSeconds, ` +
      `${numbers.aggregatorTimeoutSeconds}; got ${numbers.visibilityTimeoutSeconds}. Lambda rejects ` +
      'the queue, because its messages would return while the function still works on them. AWS ' +
      'advises six times as long.',
  },
  {
    // The metric of DeadLettersExpiring, which goes off at half of it, leaves out the time in ClickQueue.
    applies: (settings) =>
      isDeployed(settings) &&
      Number(settings.numbers.deadLetterRetentionSeconds) <=
        2 * Number(settings.numbers.queueRetentionSeconds),
    explain: ({ stage, numbers }) =>
      `expected the param deadLetterRetentionSeconds of ${stage} to be more than twice ` +
      `queueRetentionSeconds, ${numbers.queueRetentionSeconds}; got ${numbers.deadLetterRetentionSeconds}. ` +
      'SQS could delete a dead letter before an alarm says so.',
  },
  {
    applies: ({ aggregator, allowedAggregators }) => !allowedAggregators.includes(aggregator),
    explain: ({ stage, aggregator, allowedAggregators }) =>
      `expected the param aggregator of ${stage} to be ${allowedAggregators.join(' or ')}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  },
  {
    // Lambda treats a line without a level as INFO, and metric lines don't have a level.
    applies: ({ logLevel }) => !metricLevels.includes(logLevel),
    explain: ({ stage, logLevel }) =>
      `expected the param logLevel of ${stage} to be ${metricLevels.join(', ')}; got ${logLevel}. ` +
      'At any other level, Lambda would drop the metrics, which are log lines, and alarms would not fire.',
  },
  {
    applies: ({ clickQueues: { all } }) => toQueueCount(all) === undefined,
    explain: ({ stage, clickQueues: { all } }) =>
      `expected the param clickQueues of ${stage} to be one of ${counts}; got ${all}. ` +
      "resolve-link can't spread its clicks evenly over other numbers of queues.",
  },
  {
    // resolve-link would send clicks that don't match a rule, so they wouldn't count.
    applies: ({ clickQueues: { all, inUse } }) =>
      toQueueCount(all) !== undefined &&
      !(Number(toQueueCount(inUse)) <= Number(toQueueCount(all))),
    explain: ({ stage, clickQueues: { all, inUse } }) =>
      `expected the param clickQueuesInUse of ${stage} to be one of ${counts}, and at most ` +
      `clickQueues, ${all}; got ${inUse}. Leave it out to use all queues.`,
  },
  {
    applies: ({ clicksVia }) => !['bus', 'queue'].includes(clicksVia),
    explain: ({ stage, clicksVia }) =>
      `expected the param clicksVia of ${stage} to be bus or queue; got ${clicksVia}.`,
  },
  {
    applies: ({ edge, hostingIsBot }) =>
      `${hostingIsBot}` !== 'false' &&
      !(`${hostingIsBot}` === 'true' && edge.edge === 'cloudfront'),
    explain: ({ stage, edge, hostingIsBot }) =>
      `expected the param hostingIsBot of ${stage} to be false, or true with edge: cloudfront; got ` +
      `${hostingIsBot} with edge: ${edge.edge}. Only CloudFront tells the visitor's network.`,
  },
  {
    applies: ({ countVisitors }) => !['true', 'false'].includes(`${countVisitors}`),
    explain: ({ stage, countVisitors }) =>
      `expected the param countVisitors of ${stage} to be true or false; got ${countVisitors}.`,
  },
  {
    applies: ({ billing }) => !['onDemand', 'provisioned'].includes(billing),
    explain: ({ stage, billing }) =>
      `expected the param billing of ${stage} to be onDemand or provisioned; got ${billing}.`,
  },
  {
    applies: (settings) =>
      isDeployed(settings) &&
      settings.billing === 'provisioned' &&
      secondsOfAttempts(settings) < leastSecondsOfAttempts,
    explain: (settings) =>
      `expected visibilityTimeoutSeconds × maxReceiveCount of ${settings.stage} to be at least ` +
      `${leastSecondsOfAttempts} with billing: provisioned; got ${secondsOfAttempts(settings)}. Until ` +
      'autoscaling catches up, throttled clicks use up attempts and could become dead letters.',
  },
  {
    // Lambda would throttle batches, and each throttled batch uses up one of its messages'
    // attempts.
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
    applies: (settings) => {
      const { most, reserved } = readConcurrency(settings);
      return reserved !== undefined && reserved < most;
    },
    explain: (settings) => {
      const { most, reserved } = readConcurrency(settings);
      return (
        `expected aggregateClicks in the param reservedConcurrency of ${settings.stage} to be at ` +
        `least ${most}, which is clickQueues × maximumConcurrency; got ${reserved}. Lambda would ` +
        'throttle the other batches, and their clicks could become dead letters.'
      );
    },
  },
  {
    // Each delivery of such a batch would leave some messages not started, and they could become dead letters.
    applies: (settings) =>
      isDeployed(settings) &&
      listOutOfRange(settings).length === 0 &&
      secondsOfBatch(settings) > settings.numbers.aggregatorTimeoutSeconds,
    explain: (settings) =>
      `expected the param aggregatorTimeoutSeconds of ${settings.stage} to be at least ` +
      `${Math.ceil(secondsOfBatch(settings))} for ${clicksOfBatch(settings)} clicks (batchSize and an envelope) with ` +
      `${settings.numbers.aggregatorMemoryMb} MB; got ${settings.numbers.aggregatorTimeoutSeconds}. ` +
      'Raise it or aggregatorMemoryMb, or lower batchSize.',
  },
  {
    applies: ({ domain }) => (domain.name === '') !== (domain.certificateArn === ''),
    explain: ({ stage, domain }) =>
      `expected ${stage} to have the params domainName and certificateArn, or neither; got only ` +
      `${domain.name ? 'domainName' : 'certificateArn'}. The certificate must be in the stage's region.`,
  },
  {
    applies: ({ domain, edge }) =>
      domain.certificateArn !== '' && !domain.certificateArn.includes(`:acm:${edge.region}:`),
    explain: ({ stage, domain, edge }) =>
      `expected ${stage} to have a certificate in ${edge.region} for its domain; got ` +
      `${domain.certificateArn}. Request one there (docs/settings.md#a-domain-of-your-own).`,
  },
  {
    applies: (settings) =>
      isDeployed(settings) &&
      `${settings.alarmEmail.required}` === 'true' &&
      settings.alarmEmail.given === '',
    explain: ({ stage }) =>
      `expected ${stage} to have the param alarmEmail (or ALARM_EMAIL in the environment) or ` +
      'alarmEmailParameter; got neither. Without an address, alarms reach nobody, and ' +
      'CloudFormation would delete the subscription of an earlier deployment.',
  },
  {
    applies: ({ edge }) => !edge.edges.includes(edge.edge),
    explain: ({ stage, edge }) =>
      `expected the param edge of ${stage} to be ${edge.edges.join(', ')}; got ${edge.edge}.`,
  },
  {
    applies: ({ edge }) =>
      edge.edge !== 'none' && edge.region !== edgeRegion && edge.webAclArn === '',
    explain: ({ stage, edge }) =>
      `expected ${stage} in ${edge.region} to have the param webAclArn, because a web ACL for ` +
      `CloudFront exists only in ${edgeRegion}; got none. Create one there, or deploy the stage there.`,
  },
  {
    applies: ({ edge }) =>
      edge.edge !== 'none' &&
      edge.certificateArn !== '' &&
      !edge.certificateArn.includes(`:acm:${edgeRegion}:`),
    explain: ({ stage, edge }) =>
      `expected ${stage} to have a certificate in ${edgeRegion} for CloudFront; got ` +
      `${edge.certificateArn}. Request one there and set the param edgeCertificateArn.`,
  },
  {
    applies: (settings) => findLongList(settings) !== undefined,
    explain: (settings) => {
      const { param, bytes } = findLongList(settings) ?? {};
      return (
        `expected the param ${param} of ${settings.stage} to have at most ${maxListBytes} bytes; got ` +
        `${bytes}. It is passed in a function's variables, which are limited to 4 KB. Name a domain instead of ` +
        'its subdomains.'
      );
    },
  },
  {
    applies: (settings) => findInvalidDomain(settings) !== undefined,
    explain: (settings) => {
      const { param, entry } = findInvalidDomain(settings) ?? {};
      return (
        `expected each entry of the param ${param} of ${settings.stage} to be a domain such as ` +
        `example.com; got ${entry}. A domain includes its subdomains.`
      );
    },
  },
];

/**
 * Settings that work, but not as the operator may expect.
 *
 * @type {SettingsCheck[]}
 */
const warnings = [
  {
    applies: (settings) =>
      isDeployed(settings) &&
      settings.clicksVia === 'bus' &&
      settings.requestsPerSecond.visitors > putEventsQuota(settings.edge.region),
    explain: ({ stage, edge: { region }, requestsPerSecond: { visitors } }) =>
      `expected ${region} to accept at least ${visitors} PutEvents requests a second, which is ` +
      `requestsPerSecond.visitors of ${stage}; its default quota is ${putEventsQuota(region)}. Clicks above ` +
      'it count, but go straight to the queue. Ask AWS for a higher quota, or set clicksVia: queue ' +
      '(docs/settings.md#the-buss-quota).',
  },
];

module.exports = class SettingsChecks {
  /**
   * @param {import('./framework.ts').Framework} serverless
   * @param {object} _
   * @param {{ log: { warning: (text: string) => void } }} logging
   */
  constructor(serverless, _, { log }) {
    this.hooks = { initialize: () => this.check(serverless, log) };
  }

  /**
   * @param {import('./framework.ts').Framework} framework
   * @param {{ warning: (text: string) => void }} log
   */
  check({ service, classes, processedInput, configurationInput }, log) {
    const settings = {
      params: configurationInput.params,
      givenParams: processedInput.options.param ?? [],
      ...service.custom.checkedSettings,
      edge: service.custom.edge.settings,
      command: processedInput.commands.join(' '),
    };
    for (const { applies, explain } of warnings) {
      if (applies(settings)) log.warning(explain(settings));
    }
    const failed = errors.filter(({ applies }) => applies(settings));
    if (failed.length === 0) return;
    const sentences = failed.map(({ explain }) => explain(settings));
    throw new classes.Error(sentences.join('\n'), 'INVALID_SETTINGS');
  }
};
