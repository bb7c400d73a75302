import { expect, test } from 'vitest';
import { edgeCertificateArn, withDomain } from './package-stages.ts';
import { openStage, type Packaged, stages } from './stage-template.ts';

const { domainName } = withDomain;
const edge = 'Distribution.cloudfront.net';
const api = 'HttpApi.execute-api.us-east-1.amazonaws.com';
const apiHosts = ['amazonaws.com', 'api.aws', 'api.amazonwebservices.com.cn']
  .map((suffix) => `HttpApi.execute-api.us-east-1.${suffix}`)
  .join(',');

interface Addresses {
  domain?: string;
  edgeHost?: string;
  /** The host of short links. */
  links: string;
  /** The hosts of the page. */
  pages: string[];
}

const ownDomain = {
  ApiDomain: { DomainName: domainName },
  Distribution: {
    DistributionConfig: { ViewerCertificate: { AcmCertificateArn: edgeCertificateArn } },
  },
};

test.each<[Packaged, Addresses]>([
  [
    'prod-with-edge',
    { domain: domainName, edgeHost: edge, links: domainName, pages: [edge, domainName] },
  ],
  [
    'dev-with-both',
    { domain: domainName, edgeHost: edge, links: domainName, pages: [edge, api, domainName] },
  ],
  ...stages.map((stage): [Packaged, Addresses] => [stage, { links: api, pages: [api] }]),
])('%s knows its addresses, and allows sign-ins from them only: %j', async (name, addresses) => {
  const { has, environment, output, expects } = await openStage(name);
  const { domain = '', edgeHost = '', links, pages } = addresses;
  const urls = pages.map((host) => `https://${host}/`);

  expect(output('ApiUrl')).toBe(`https://${links}`);
  for (const each of ['CreateLink', 'DeleteLink', 'ImportLinks', 'ListLinks', 'UpdateLink']) {
    expect(environment(each).PUBLIC_ORIGIN).toBe(`https://${links}`);
  }
  for (const each of ['ResolveLink', 'CreateLink']) {
    const hosts = { API_HOST: apiHosts, DOMAIN_NAME: domain, EDGE_HOST: edgeHost };
    expect(environment(each)).toMatchObject(hosts);
  }
  expect(environment('CreateLink').BLOCKED_DOMAINS).toBe('');
  expect(has('HasApiDomain')).toBe(domain !== '' && pages.includes(api));
  if (pages.includes(api) && domain) expects(ownDomain);
  expects({ UserPoolClient: { CallbackURLs: urls, LogoutURLs: urls } });
});
