// The edge in front of the HTTP API, chosen by the param edge: none, CloudFront with AWS WAF, or
// both at once while a domain moves from one to the other (docs/settings.md#cloudfront-and-aws-waf).
const { variable } = require('./variables.cjs');

/**
 * @param {string} id
 * @param {string} attribute
 */
const getAtt = (id, attribute) => ({ 'Fn::GetAtt': [id, attribute] });
/** @param {unknown[]} parts */
const join = (...parts) => ({ 'Fn::Join': ['', parts] });

const settings = {
  edge: variable('param:edge'),
  edges: ['none', 'both', 'cloudfront'],
  region: variable('self:provider.region'),
  webAclArn: variable("param:webAclArn, ''"),
  // CloudFront accepts certificates only from us-east-1. A stage in another Region needs a second
  // one there.
  certificateArn: variable('param:edgeCertificateArn, param:certificateArn'),
};

const cloudFrontAddress = join('https://', getAtt('Distribution', 'DomainName'));
const cloudFrontPage = join(cloudFrontAddress, '/');
const apiPage = join('https://', variable('param:apiHost'), '/');
const domainPage = {
  'Fn::If': ['HasDomain', `https://${variable('param:domainName')}/`, { Ref: 'AWS::NoValue' }],
};

const none = {
  address: getAtt('HttpApi', 'ApiEndpoint'),
  host: '',
  pageUrls: [apiPage, domainPage],
  domainTarget: getAtt('ApiDomain', 'RegionalDomainName'),
  domainHostedZoneId: getAtt('ApiDomain', 'RegionalHostedZoneId'),
  resources: {},
  functions: {},
};

const both = {
  address: cloudFrontAddress,
  host: getAtt('Distribution', 'DomainName'),
  pageUrls: [cloudFrontPage, apiPage, domainPage],
  domainTarget: getAtt('Distribution', 'DomainName'),
  // The same for every distribution:
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-route53-recordset-aliastarget.html
  domainHostedZoneId: 'Z2FDTNDATAQYW2',
  resources: variable('file(infra/edge.yml)'),
  functions: {},
};

/** @param {string} id */
const secretOf = (id) => `{{resolve:secretsmanager:${variable(id)}:SecretString}}`;
const behindCloudFront = {
  environment: {
    ORIGIN_SECRETS: {
      'Fn::Sub': ['FirstOriginSecret', 'SecondOriginSecret'].map(secretOf).join(','),
    },
  },
};

/** The functions behind the HTTP API, which then accept only requests from CloudFront. */
const httpFunctions = [
  'createLink',
  'importLinks',
  'listLinks',
  'updateLink',
  'deleteLink',
  'resolveLink',
  'getLinkStats',
  'getOverview',
  'getBacklog',
  'manageKeys',
  'servePage',
];

const cloudfront = {
  ...both,
  pageUrls: [cloudFrontPage, domainPage],
  // The functions check the secret only if this variable is set.
  functions: Object.fromEntries(httpFunctions.map((name) => [name, behindCloudFront])),
};

/** @param {import('./framework.ts').Tools} tools */
module.exports = async ({ resolveVariable }) => {
  /** @type {string} */
  const edge = await resolveVariable('param:edge');
  /** @type {Record<string, typeof none | typeof both>} */
  const edges = { none, both, cloudfront };
  // infra/settings-checks.cjs rejects any other edge.
  return { settings, ...(edges[edge] ?? none) };
};
