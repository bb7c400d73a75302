// A plugin for the framework: puts the permissions boundary of the param on every role, because the
// framework's own setting knows only the role that it creates itself.
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
