// A plugin for the framework: it ends a command whose settings lose clicks or cannot be deployed,
// with one line.

// The other variables of createLink, two of them domains, take less than 1 KB of Lambda's 4 KB.
const maxBlockedBytes = 3_072;

/** Each tests the settings under `custom.refusals` in serverless.yml and explains its refusal. */
const refusals = [
  {
    // A typing mistake would deploy an unprotected production.
    applies: ({ stage, stages, ownStage, anyStage }) =>
      !stages.includes(stage) &&
      !new RegExp(`^${ownStage}[a-z0-9-]+$`).test(stage) &&
      `${anyStage}` !== 'true',
    explain: ({ stage, stages, ownStage }) =>
      `expected the stage to be ${stages.join(', ')}, or ${ownStage}<name> for a stage of your own ` +
      `(a-z, 0-9, -); got ${stage}. If that is its name, add --param anyStage=true.`,
  },
  {
    applies: ({ aggregator, allowedAggregators }) => !allowedAggregators.includes(aggregator),
    explain: ({ stage, aggregator, allowedAggregators }) =>
      `expected the param aggregator of ${stage} to be ${allowedAggregators.join(' or ')}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  },
  {
    applies: ({ domainName, certificateArn }) => (domainName === '') !== (certificateArn === ''),
    explain: ({ stage, domainName }) =>
      `expected ${stage} to have the params domainName and certificateArn, or neither; got only ` +
      `${domainName ? 'domainName' : 'certificateArn'}. The certificate must be in the stage's region.`,
  },
  {
    applies: ({ blockedDomains }) => Buffer.byteLength(`${blockedDomains}`) > maxBlockedBytes,
    explain: ({ stage, blockedDomains }) =>
      `expected the param blockedDomains of ${stage} to have at most ${maxBlockedBytes} bytes; ` +
      `got ${Buffer.byteLength(`${blockedDomains}`)}. It is a variable of createLink, and a function's ` +
      'variables have 4 KB in all. Block a domain instead of its subdomains.',
  },
];

module.exports = class Refusals {
  constructor(serverless) {
    this.hooks = { initialize: () => this.refuse(serverless) };
  }

  refuse({ service, classes }) {
    const settings = service.custom.refusals;
    const refused = refusals.filter(({ applies }) => applies(settings));
    if (refused.length === 0) return;
    const sentences = refused.map(({ explain }) => explain(settings));
    throw new classes.Error(sentences.join('\n'), 'SETTINGS_REFUSED');
  }
};
