import { describe, expect, test } from 'vitest';
import { readVisit } from '../../lib/clicks/visit.ts';
import { readServiceHosts } from '../../lib/http/service-hosts.ts';
import { refuseDestination } from '../../lib/links/destination.ts';
import { withDomain } from './package-stages.ts';
import { environmentOf, readStage, resolve, stages } from './stage-template.ts';

const { domainName } = withDomain;
const apiHosts = ['amazonaws.com', 'api.aws', 'api.amazonwebservices.com.cn']
  .map((suffix) => `HttpApi.execute-api.us-east-1.${suffix}`)
  .join(',');

test('a stage with a domain has its short links on it, and knows its own hosts', async () => {
  const template = await readStage('dev-with-both');

  expect(resolve(template, template.Outputs.ApiUrl?.Value)).toBe(`https://${domainName}`);
  for (const id of ['CreateLink', 'ImportLinks', 'ListLinks', 'UpdateLink']) {
    const { PUBLIC_ORIGIN } = environmentOf(template, `${id}LambdaFunction`);
    expect(PUBLIC_ORIGIN).toBe(`https://${domainName}`);
  }
  for (const id of ['ResolveLink', 'CreateLink']) {
    const variables = environmentOf(template, `${id}LambdaFunction`);
    expect(variables).toMatchObject({ API_HOST: apiHosts, DOMAIN_NAME: domainName });
  }
});

describe.each(stages)('the stage %s without a domain', async (stage) => {
  const template = await readStage(stage);

  test('has its short links on its execute-api address', () => {
    expect(environmentOf(template, 'CreateLinkLambdaFunction')).toMatchObject({
      PUBLIC_ORIGIN: 'https://HttpApi.execute-api.us-east-1.amazonaws.com',
      ...{ API_HOST: apiHosts, DOMAIN_NAME: '', EDGE_HOST: '', BLOCKED_DOMAINS: '' },
    });
  });

  test.each([
    'httpapi.execute-api.us-east-1.amazonaws.com',
    'httpapi.execute-api.us-east-1.api.aws',
    'HTTPAPI.Execute-API.us-east-1.API.AWS.',
    'httpapi.execute-api.us-east-1.api.amazonwebservices.com.cn',
  ])('rejects links to its host %s and recognises it as its own referrer', (host) => {
    const environment = environmentOf(template, 'ResolveLinkLambdaFunction');
    const serviceHosts = readServiceHosts(environment);
    const url = `https://${host}/spring`;

    const refused = refuseDestination(url, { serviceHosts, blockedDomains: [] });
    const { referrer } = readVisit({ referer: url }, serviceHosts);

    expect([refused, referrer]).toEqual([
      "A link can't lead to this service. Enter another address.",
      'own',
    ]);
  });
});
