// The home Region's part of a standby (standby.yml), if the param standbyRegion names its Region.
const { variable } = require('../variables.cjs');

const region = variable('param:standbyRegion');
const tableName = `${variable('self:service')}-standby-${variable('sls:stage')}`;

const resources = variable('file(infra/standby/resources.yml)');
const functions = variable('file(infra/standby/functions.yml)');

/** @param {import('../framework.ts').Tools} tools */
module.exports = async ({ resolveVariable }) => {
  const hasStandby = `${await resolveVariable('param:standbyRegion')}` !== '';
  const retrySeconds = Number(await resolveVariable('param:busRetrySeconds'));
  return {
    region,
    tableName,
    // A click of the standby may wait as long on its own bus, and then again on this one.
    busRetrySeconds: hasStandby ? 2 * retrySeconds : retrySeconds,
    functions: hasStandby ? functions : {},
    resources: hasStandby ? resources : {},
    alarms: hasStandby ? variable('file(infra/alarms/standby.cjs)') : {},
  };
};
