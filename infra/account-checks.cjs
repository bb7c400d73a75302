// A framework plugin that stops a deployment for which the account lacks something, before it changes
// anything. CloudFormation would fail after minutes, and roll everything back.
const { APIGatewayClient, GetAccountCommand } = require('@aws-sdk/client-api-gateway');
const { GetAccountSettingsCommand, LambdaClient } = require('@aws-sdk/client-lambda');
const { openStack } = require('./deployed-stack.cjs');

/** @typedef {import('./deployed-stack.cjs').Resources} Resources */

/**
 * Lambda keeps these for functions without a reservation:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const leastUnreserved = 100;

/** @param {Resources} resources */
const sumReservations = (resources) =>
  Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Number(Properties.ReservedConcurrentExecutions ?? 0))
    .reduce((sum, reserved) => sum + reserved, 0);

module.exports = class AccountChecks {
  /** @param {import('./framework.ts').Framework} serverless */
  constructor(serverless) {
    this.serverless = serverless;
    this.hooks = { 'before:aws:deploy:deploy:createStack': () => this.check() };
  }

  async check() {
    const { classes } = this.serverless;
    const missing = [await this.explainConcurrency(), await this.explainLogRole()];
    const known = missing.filter((reason) => reason !== undefined);
    if (known.length > 0) throw new classes.Error(known.join('\n'), 'ACCOUNT_LACKS');
  }

  async explainConcurrency() {
    const { service } = this.serverless;
    const next = sumReservations(service.provider.compiledCloudFormationTemplate.Resources);
    if (next === 0) return undefined;
    const stack = await openStack(this.serverless.getProvider('aws'));
    const present = sumReservations((await stack.readResources()) ?? {});
    const lambda = new LambdaClient(stack.config);
    const { AccountLimit = {} } = await lambda.send(new GetAccountSettingsCommand({}));
    const { UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit;
    if (unreserved + present - next >= leastUnreserved) return undefined;
    return (
      `expected the account to have ${next - present + leastUnreserved} unreserved concurrent executions in ` +
      `${stack.config.region}, for reservedConcurrency of ${stack.name} and the ${leastUnreserved} that ` +
      `Lambda keeps; got ${unreserved}. Ask AWS for more, or reserve less (docs/settings.md#concurrency).`
    );
  }

  async explainLogRole() {
    const { service } = this.serverless;
    if (`${service.custom.liveAccessLog}` !== 'true') return undefined;
    const config = await this.serverless.getProvider('aws').getAwsSdkV3Config();
    const { cloudwatchRoleArn } = await new APIGatewayClient(config).send(
      new GetAccountCommand({}),
    );
    if (cloudwatchRoleArn) return undefined;
    return (
      `expected API Gateway to have a role for logs in ${config.region}, because liveAccessLog is true; ` +
      "got none. Set one in API Gateway's settings, or leave the param out " +
      '(docs/settings.md#the-live-pages-log).'
    );
  }
};
