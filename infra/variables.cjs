/**
 * A value filled in by the framework (`self:`, `sls:`, `param:`) or CloudFormation.
 *
 * @param {string} name
 */
const variable = (name) => `\${${name}}`;

/** The prefix of the names of a stage's resources. */
const stack = `${variable('self:service')}-${variable('sls:stage')}`;

module.exports = { variable, stack };
