// The PutEvents requests a second that AWS accepts from an account, by default. Each click on the bus is
// one. https://docs.aws.amazon.com/general/latest/gr/ev.html, read on 2026-11-28.

/** @type {Record<number, string[]>} */
const regionsByQuota = {
  10000: ['us-east-1', 'us-west-2', 'eu-west-1'],
  2400: ['us-east-2', 'eu-central-1', 'eu-south-2'],
  1200: ['us-west-1', 'ap-northeast-1', 'ap-southeast-1', 'ap-southeast-2', 'eu-west-2'],
  600: [
    'ap-east-1',
    'ap-northeast-2',
    'ap-south-1',
    'ca-central-1',
    'eu-north-1',
    'eu-west-3',
    'sa-east-1',
  ],
};
const otherRegions = 400;

/**
 * @param {string} region
 * @returns {number}
 */
module.exports = function putEventsQuota(region) {
  const [quota] =
    Object.entries(regionsByQuota).find(([, regions]) => regions.includes(region)) ?? [];
  return Number(quota ?? otherRegions);
};
