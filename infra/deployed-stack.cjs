// What CloudFormation knows of a stage, for the plugins that compare a deployment with it.
const {
  CloudFormationClient,
  DescribeStackResourceCommand,
  GetTemplateCommand,
  UpdateTerminationProtectionCommand,
} = require('@aws-sdk/client-cloudformation');

/** @typedef {Record<string, import('./framework.ts').Resource>} Resources */

/**
 * A stage as CloudFormation knows it.
 *
 * @param {import('./framework.ts').AwsProvider} provider
 */
async function openStack(provider) {
  const config = await provider.getAwsSdkV3Config();
  const cloudFormation = new CloudFormationClient(config);
  const StackName = provider.naming.getStackName();

  return {
    name: StackName,
    config,
    /** @returns {Promise<Resources | undefined>} undefined if the stage isn't deployed */
    readResources: async () => {
      try {
        const { TemplateBody = '{}' } = await cloudFormation.send(
          new GetTemplateCommand({ StackName }),
        );
        return JSON.parse(TemplateBody).Resources ?? {};
      } catch (error) {
        const isMissing = error instanceof Error && error.message.endsWith('does not exist');
        if (isMissing) return undefined;
        throw error;
      }
    },
    /** @param {string} LogicalResourceId */
    findResource: async (LogicalResourceId) => {
      const { StackResourceDetail } = await cloudFormation.send(
        new DescribeStackResourceCommand({ StackName, LogicalResourceId }),
      );
      return StackResourceDetail?.PhysicalResourceId ?? '';
    },
    protect: () =>
      cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true }),
      ),
  };
}

module.exports = { openStack };
