// The home Region's part of a standby (standby.yml), if the param standbyRegion names its Region.
const { variable } = require('../variables.cjs');

const standby = {
  region: variable('param:standbyRegion'),
  /** The prefix of its resources' names, and its table's name. */
  name: `${variable('self:service')}-standby-${variable('sls:stage')}`,
};

/** @param {import('../framework.ts').Tools} tools */
const hasStandby = async ({ resolveVariable }) =>
  `${await resolveVariable('param:standbyRegion')}` !== '';

/** @param {import('../framework.ts').Tools} tools */
const describe = async (tools) => {
  const retrySeconds = Number(await tools.resolveVariable('param:busRetrySeconds'));
  if (!(await hasStandby(tools))) {
    return { ...standby, busRetrySeconds: retrySeconds, functions: {}, resources: {}, alarms: {} };
  }
  return {
    ...standby,
    // A click of the standby may wait as long on its own bus, and then again on this one.
    busRetrySeconds: 2 * retrySeconds,
    functions: variable('file(infra/standby/functions.yml)'),
    resources: variable('file(infra/standby/resources.yml)'),
    alarms: variable('file(infra/alarms/standby.cjs)'),
  };
};

module.exports = Object.assign(describe, { hasStandby, standby });
