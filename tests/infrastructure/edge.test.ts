import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from '../../lib/http/http.ts';
import { maxImportBytes } from '../../lib/links/link-request.ts';
import { routes } from '../../local/openapi/routes.ts';
import { withDomain } from './package-stages.ts';
import {
  environmentOf,
  isTrue,
  ofType,
  propertiesOf,
  readStage,
  resolve,
  stages,
} from './stage-template.ts';

const { domainName } = withDomain;
const apiHost = 'HttpApi.execute-api.us-east-1.amazonaws.com';
const secretsOf = (id: string) => `{{resolve:secretsmanager:${id}OriginSecret:SecretString}}`;

// AWS's own policies:
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const cachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const httpFunctions = [
  ...['CreateLink', 'ListLinks', 'UpdateLink', 'ResolveLink', 'GetLinkStats', 'GetBacklog'],
  ...['ServePage', 'ImportLinks'],
];

interface Behavior {
  PathPattern?: string;
  CachePolicyId: string;
}

interface DistributionConfig {
  Origins: object[];
  DefaultCacheBehavior: Behavior;
  CacheBehaviors: Behavior[];
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[];
  Logging?: object;
  WebACLId: string;
}

interface Rule {
  Statement: object;
  VisibilityConfig: { SampledRequestsEnabled: boolean };
}

describe.each(['prod-with-edge', 'dev-with-both'] as const)('CloudFront of %s', async (name) => {
  const template = await readStage(name);
  const config = resolve(
    template,
    propertiesOf(template, 'Distribution').DistributionConfig,
  ) as DistributionConfig;
  const acl = resolve(template, propertiesOf(template, 'WebAcl')) as { Rules: Rule[] };

  test('calls the API over TLS 1.2 with the secret, and keeps no log of visitors', () => {
    expect(config.Logging).toBeUndefined();
    expect(config.Origins).toMatchObject([
      {
        DomainName: apiHost,
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
        OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: secretsOf('First') }],
      },
    ]);
  });

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  test("caches only the page's files, robots.txt and the icon, and no errors", () => {
    const cached = config.CacheBehaviors.map((each) => [each.PathPattern, each.CachePolicyId]);
    const errors = config.CustomErrorResponses.map((each) => [
      ...[each.ErrorCode, each.ErrorCachingMinTTL],
    ]);

    expect(config.DefaultCacheBehavior).toMatchObject({
      CachePolicyId: cachingDisabled,
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'PATCH']),
    });
    expect(cached).toEqual(
      ['/assets/*', '/robots.txt', '/favicon.ico'].map((path) => [path, cachingOptimized]),
    );
    const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(errors).toEqual(codes.map((code) => [code, 0]));
  });

  test('forwards the country and all headers except Host, and adds only missing response headers', () => {
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'redirect-to-https',
        OriginRequestPolicyId: allViewerExceptHostHeader,
        ResponseHeadersPolicyId: 'EdgeHeaders',
      });
    }
    const { ResponseHeadersPolicyConfig } = propertiesOf(template, 'EdgeHeaders');
    expect(JSON.stringify(ResponseHeadersPolicyConfig)).not.toContain('"Override":true');
  });

  // https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
  test('does not block a visit for a missing agent or a long query, or a body that a route accepts', () => {
    const withBody = routes.filter(({ body }) => body !== undefined);
    const sizes = withBody.map(({ path }) =>
      path.endsWith('import') ? maxImportBytes : maxBodyBytes,
    );

    expect(Math.max(...sizes)).toBeGreaterThan(8_192);
    const rules = ['SizeRestrictions', 'EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI'];
    const bodyRules = [...rules, 'CrossSiteScripting'].map((rule) => `${rule}_BODY`);
    for (const rule of ['NoUserAgent_HEADER', 'SizeRestrictions_QUERYSTRING', ...bodyRules]) {
      expect(JSON.stringify(acl.Rules)).toContain(`{"Name":"${rule}","ActionToUse":{"Count":{}}}`);
    }
  });

  test('is behind a web ACL that limits the rate of each address and keeps no samples', () => {
    const sampled = acl.Rules.map(
      ({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled,
    );

    expect(template.Resources.WebAcl?.Condition).toBe('HasOwnWebAcl');
    expect(isTrue(template, 'HasOwnWebAcl')).toBe(true);
    expect(config.WebACLId).toBe('arn:WebAcl');
    expect(acl.Rules[0]?.Statement).toMatchObject({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2_000 },
    });
    expect(sampled).toEqual([false, false, false]);
  });
});

const secretsIn = (template: Awaited<ReturnType<typeof readStage>>) =>
  Object.keys(ofType(template, 'AWS::Lambda::Function'))
    .map((id) => [id, environmentOf(template, id).ORIGIN_SECRETS])
    .filter(([, secrets]) => secrets !== undefined)
    .toSorted();

test.each(['prod-with-edge', 'dev-with-edge'] as const)(
  '%s gives random secrets to its HTTP functions only',
  async (name) => {
    const template = await readStage(name);
    const secrets = `${secretsOf('First')},${secretsOf('Second')}`;

    const known = httpFunctions.map((name) => [`${name}LambdaFunction`, secrets]);
    expect(secretsIn(template)).toEqual(known.toSorted());
    for (const id of ['FirstOriginSecret', 'SecondOriginSecret']) {
      const made = { PasswordLength: 32, ExcludePunctuation: true };
      expect(propertiesOf(template, id).GenerateSecretString).toEqual(made);
    }
  },
);

test.each([
  ['prod-with-edge', []],
  ['dev-with-both', [`https://${apiHost}/`]],
] as const)(
  '%s has its short links on its domain, and allows sign-ins from its addresses only',
  async (name, direct) => {
    const template = await readStage(name);
    const { CallbackURLs, LogoutURLs } = propertiesOf(template, 'UserPoolClient');
    const pages = ['https://Distribution.cloudfront.net/', ...direct, `https://${domainName}/`];

    const urls = [CallbackURLs, LogoutURLs].map((list) =>
      (list as unknown[]).map((url) => resolve(template, url)),
    );

    expect(urls).toEqual([pages, pages]);
    expect(isTrue(template, 'HasApiDomain')).toBe(direct.length > 0);
    expect(environmentOf(template, 'CreateLinkLambdaFunction')).toMatchObject({
      PUBLIC_ORIGIN: `https://${domainName}`,
      EDGE_HOST: 'Distribution.cloudfront.net',
    });
  },
);

test('dev-with-edge, without a domain, has its short links on CloudFront', async () => {
  const variables = environmentOf(await readStage('dev-with-edge'), 'CreateLinkLambdaFunction');

  expect(variables.PUBLIC_ORIGIN).toBe('https://Distribution.cloudfront.net');
});

// While a domain moves to CloudFront or back, visitors come both ways.
test('dev-with-both accepts requests without the secret', async () => {
  expect(secretsIn(await readStage('dev-with-both'))).toEqual([]);
});

test.each(stages)('%s, without CloudFront, has no resources or secrets for it', async (name) => {
  const template = await readStage(name);
  const types = Object.values(template.Resources).map(({ Type }) => Type);

  expect(types.filter((type) => /CloudFront|WAF|SecretsManager/.test(type))).toEqual([]);
  expect(secretsIn(template)).toEqual([]);
});
