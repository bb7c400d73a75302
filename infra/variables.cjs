/** A value that the framework (`self:`, `sls:`, `param:`) or CloudFormation fills in. */
const variable = (name) => `\${${name}}`;

/** What the names of a stage's resources begin with. */
const stack = `${variable('self:service')}-${variable('sls:stage')}`;

module.exports = { variable, stack };
