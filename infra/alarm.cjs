const { stack } = require('./variables.cjs');

/**
 * An alarm with what infra/alarms.yml says all alarms have in common. `name` is its section in the
 * runbook, and `suffix` tells alarms of the same section apart.
 *
 * @param {string} name
 * @param {string} description
 * @param {object} properties
 */
const alarm = (name, description, properties, suffix = '') => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: `${stack}-${name}${suffix}`,
    AlarmDescription: `${description} docs/runbook.md#${name}`,
    TreatMissingData: 'notBreaching',
    AlarmActions: [{ Ref: 'AlarmTopic' }],
    ...properties,
  },
});

module.exports = { alarm };
