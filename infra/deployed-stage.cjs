// A framework plugin that compares a deployment with what is deployed, before it changes anything. It
// stops a deployment that would lose clicks, links or users, and removes what the deployment after next
// would stumble over.
const {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetRoutesCommand,
  GetStageCommand,
} = require('@aws-sdk/client-apigatewayv2');
const { GetObjectCommand, ListObjectsV2Command, S3Client } = require('@aws-sdk/client-s3');
const { GetQueueAttributesCommand, SQSClient } = require('@aws-sdk/client-sqs');
const { openStack } = require('./deployed-stack.cjs');

/** @typedef {Record<string, import('./framework.ts').Resource>} Resources */

/**
 * The types of resources that hold data, each with the properties whose change makes CloudFormation
 * replace the resource by an empty one ("Update requires: Replacement"):
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 *
 * @type {Record<string, string[]>}
 */
const replacingProperties = {
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  'AWS::DynamoDB::Table': ['ImportSourceSpecification', 'KeySchema', 'TableName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
};

/**
 * The deployed resources with data that the new template doesn't have, or would replace.
 *
 * @param {Resources} deployed
 * @param {Resources} next
 */
const listLostResources = (deployed, next) =>
  Object.entries(deployed)
    .filter(([id, { Type, Properties = {} }]) => {
      const properties = replacingProperties[Type];
      if (!properties) return false;
      const successor = next[id];
      if (successor?.Type !== Type) return true;
      return properties.some(
        (name) => toText(Properties[name]) !== toText(successor.Properties?.[name]),
      );
    })
    .map(([id, { Type, DeletionPolicy = 'Delete' }]) => ({
      id,
      isQueue: Type === 'AWS::SQS::Queue',
      isRetained: DeletionPolicy.startsWith('Retain'),
    }));

/** @param {unknown} value of a template's property */
const toText = (value) => JSON.stringify(value) ?? '';

/** @typedef {Awaited<ReturnType<typeof openStack>>} Stack */

const messageCounts = /** @type {const} */ ([
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
]);

/**
 * @param {Stack} stack
 * @param {string} id the queue's logical id
 */
async function countMessages({ config, findResource }, id) {
  const { Attributes = {} } = await new SQSClient(config).send(
    new GetQueueAttributesCommand({
      QueueUrl: await findResource(id),
      AttributeNames: [...messageCounts],
    }),
  );
  return messageCounts.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

/**
 * Why the deployment would lose this resource's data; undefined if it has none.
 *
 * @param {Stack} stack
 * @param {ReturnType<typeof listLostResources>[number]} lost
 */
async function explainLoss(stack, { id, isQueue, isRetained }) {
  if (!isQueue) {
    return (
      `expected the deployment to keep ${id} of ${stack.name}, which holds data; got a template ` +
      'without it, or with a property that replaces it. Keep its settings, or remove the stage first.'
    );
  }
  const messages = await countMessages(stack, id);
  if (messages > 0) {
    return (
      `expected ${id} of ${stack.name} to be empty, because the deployment removes it; got ` +
      `${messages} messages. Keep clickQueues as it was, or change it in two deployments ` +
      '(docs/settings.md#the-number-of-queues).'
    );
  }
  // A message may arrive between this check and the removal.
  if (isRetained) return undefined;
  return (
    `expected ${id} of ${stack.name} to stay when the deployment removes it from the stack; got a ` +
    'deployed template that deletes it, with messages that arrive until then. First deploy with the ' +
    'same clickQueues as before.'
  );
}

/**
 * API Gateway keeps the settings of a route that a deployment removed, and then rejects the next change
 * of the other routes' settings: https://github.com/aws/serverless-application-model/issues/1939
 *
 * @param {Stack} stack
 */
async function removeSettingsOfGoneRoutes({ config, findResource }) {
  const client = new ApiGatewayV2Client(config);
  const api = { ApiId: await findResource('HttpApi') };
  const stage = { ...api, StageName: '$default' };
  const routes = new Set();
  /** @type {string | undefined} */
  let NextToken;
  do {
    const page = await client.send(new GetRoutesCommand({ ...api, NextToken }));
    for (const { RouteKey } of page.Items ?? []) routes.add(RouteKey);
    NextToken = page.NextToken;
  } while (NextToken);
  const { RouteSettings = {} } = await client.send(new GetStageCommand(stage));
  const gone = Object.keys(RouteSettings).filter((routeKey) => !routes.has(routeKey));
  for (const RouteKey of gone) {
    await client.send(new DeleteRouteSettingsCommand({ ...stage, RouteKey }));
  }
}

/**
 * The template to which `sls rollback` returns, from the stage's bucket.
 *
 * @param {Stack} stack
 * @param {string} folder of the deployment, with everything before the date
 * @returns {Promise<Resources | undefined>} undefined if there isn't such a deployment
 */
async function readEarlierResources({ config, findResource }, folder) {
  const client = new S3Client(config);
  const Bucket = await findResource('ServerlessDeploymentBucket');
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix: `${folder}-` }),
  );
  const template = Contents.find(({ Key = '' }) => Key.endsWith('cloudformation-template.json'));
  if (!template) return undefined;
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: template.Key }));
  return JSON.parse((await Body?.transformToString()) ?? '{}').Resources;
}

module.exports = class DeployedStage {
  /** @param {import('./framework.ts').Framework} serverless */
  constructor(serverless) {
    this.serverless = serverless;
    this.hooks = {
      'before:aws:deploy:deploy:createStack': () => this.compareDeployment(),
      'after:aws:deploy:deploy:updateStack': () => this.protectStack(),
      'before:rollback:rollback': () => this.compareRollback(),
    };
  }

  async compareDeployment() {
    const { service } = this.serverless;
    const stack = await openStack(this.serverless.getProvider('aws'));
    const deployed = await stack.readResources();
    if (!deployed) return;
    await this.rejectLosses(
      stack,
      listLostResources(deployed, service.provider.compiledCloudFormationTemplate.Resources),
    );
    if (deployed.HttpApi) await removeSettingsOfGoneRoutes(stack);
  }

  async compareRollback() {
    const { processedInput, service } = this.serverless;
    const { timestamp } = processedInput.options;
    // Without a date, the command only lists the deployments.
    if (!timestamp) return;
    const provider = this.serverless.getProvider('aws');
    const stack = await openStack(provider);
    const deployed = await stack.readResources();
    if (!deployed) return;
    const deployments = `${provider.getDeploymentPrefix()}/${service.service}/${provider.getStage()}`;
    const atMs = Date.parse(timestamp) || Number(timestamp);
    const earlier = await readEarlierResources(stack, `${deployments}/${atMs}`);
    // The framework says that it doesn't have the deployment.
    if (!earlier) return;
    await this.rejectLosses(stack, listLostResources(deployed, earlier));
  }

  /** A stage that keeps its data can't be removed by mistake. No template has this setting. */
  async protectStack() {
    const { service } = this.serverless;
    if (`${service.custom.keepData}` !== 'true') return;
    const stack = await openStack(this.serverless.getProvider('aws'));
    await stack.protect();
  }

  /**
   * @param {Stack} stack
   * @param {ReturnType<typeof listLostResources>} lost
   */
  async rejectLosses(stack, lost) {
    const reasons = await Promise.all(lost.map((resource) => explainLoss(stack, resource)));
    const known = reasons.filter((reason) => reason !== undefined);
    if (known.length === 0) return;
    throw new this.serverless.classes.Error(known.join('\n'), 'DATA_WOULD_BE_LOST');
  }
};
