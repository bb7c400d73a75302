// Test clicks from the live page, for stages with the param tryIt. Other stages don't have the
// function or its role.
const { variable } = require('./variables.cjs');

/** @param {import('./framework.ts').Tools} tools */
module.exports = async ({ resolveVariable }) =>
  `${await resolveVariable('param:tryIt')}` === 'true'
    ? variable('file(infra/try-it.yml)')
    : { functions: {}, resources: {} };
