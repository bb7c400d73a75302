import { expect, test } from 'vitest';
import { edgeCertificateArn, withDomain } from './package-stages.ts';
import { openStage, stages } from './stage-template.ts';

const { domainName } = withDomain;
const edge = 'Distribution.cloudfront.net';
const api = 'HttpApi.execute-api.us-east-1.amazonaws.com';
const apiHosts = ['amazonaws.com', 'api.aws', 'api.amazonwebservices.com.cn']
  .map((suffix) => `HttpApi.execute-api.us-east-1.${suffix}`)
  .join(',');
/** Each with the host of short links and the hosts of the page. */
test.each([
  ['prod-with-edge', domainName, [edge, domainName]],
  ['dev-with-both', domainName, [edge, api, domainName]],
  ...stages.map((stage) => [stage, api, [api]]),
])('%s has its links at %s, and allows sign-ins only at %j', async (name, links, pages) => {
  const { has, environment, output, expects } = await openStage(name);
  const hasDomain = pages.includes(domainName);
  const urls = pages.map((host) => `https://${host}/`);
  expect(output('ApiUrl')).toBe(`https://${links}`);
  for (const each of ['CreateLink', 'DeleteLink', 'ImportLinks', 'ListLinks', 'UpdateLink']) {
    expect(environment(each).PUBLIC_ORIGIN).toBe(`https://${links}`);
  }
  for (const each of ['ResolveLink', 'CreateLink']) {
    expect(environment(each)).toMatchObject({
      API_HOST: apiHosts,
      DOMAIN_NAME: hasDomain ? domainName : '',
      EDGE_HOST: pages.includes(edge) ? edge : '',
    });
  }
  expect(environment('CreateLink').BLOCKED_DOMAINS).toBe('');
  expect(has('HasApiDomain')).toBe(name === 'dev-with-both');
  if (name === 'dev-with-both') {
    expects({
      ApiDomain: { DomainName: domainName },
      Distribution: {
        DistributionConfig: { ViewerCertificate: { AcmCertificateArn: edgeCertificateArn } },
      },
    });
  }
  expects({ UserPoolClient: { CallbackURLs: urls, LogoutURLs: urls } });
});
