// A framework plugin that sets the param's permissions boundary on every role. The framework's own
// setting covers only the role that it creates itself.
const { variable } = require('./variables.cjs');

module.exports = class PermissionsBoundary {
  /** @param {import('./framework.ts').Framework} framework */
  constructor({ service }) {
    this.hooks = {
      'after:aws:package:finalize:mergeCustomProviderResources': () => this.apply(service),
    };
  }

  /** @param {import('./framework.ts').Framework['service']} service */
  apply({ custom, provider }) {
    if (!custom.permissionsBoundary) return;
    const arn = `arn:${variable('AWS::Partition')}:iam::${variable('AWS::AccountId')}:policy/${custom.permissionsBoundary}`;
    for (const { Type, Properties } of Object.values(
      provider.compiledCloudFormationTemplate.Resources,
    )) {
      if (Type === 'AWS::IAM::Role') Properties.PermissionsBoundary = { 'Fn::Sub': arn };
    }
  }
};
