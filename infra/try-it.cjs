// Clicks to try from the live page, for stages with the param tryIt. Without it, a stage has neither the
// function nor its role.
const { variable } = require('./variables.cjs');

/** @param {import('./framework.ts').Tools} tools */
module.exports = async ({ resolveVariable }) =>
  `${await resolveVariable('param:tryIt')}` === 'true'
    ? variable('file(infra/try-it.yml)')
    : { functions: {}, resources: {} };
