import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from '../../lib/http/http.ts';
import { maxImportBytes } from '../../lib/links/link-request.ts';
import { routes } from '../../local/openapi/routes.ts';
import { withDomain } from './package-stages.ts';
import {
  environmentOf,
  isTrue,
  ofType,
  packaged,
  propertiesOf,
  readStage,
  resolve,
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
  TargetOriginId: string;
  ViewerProtocolPolicy: string;
  AllowedMethods?: string[];
  CachePolicyId: string;
  OriginRequestPolicyId: string;
  ResponseHeadersPolicyId: string;
}

interface DistributionConfig {
  Origins: object[];
  DefaultCacheBehavior: Behavior;
  CacheBehaviors: Behavior[];
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[];
}

interface Rule {
  Name: string;
  Statement: object;
  VisibilityConfig: { SampledRequestsEnabled: boolean };
}

describe.each(['prod-with-edge', 'dev-with-both'] as const)('CloudFront of %s', async (name) => {
  const template = await readStage(name);
  const config = resolve(
    template,
    propertiesOf(template, 'Distribution').DistributionConfig,
  ) as DistributionConfig & Record<string, unknown>;

  test('keeps no log of visitors', () => {
    expect(config.Logging).toBeUndefined();
  });

  test('calls the API over TLS 1.2 with the secret', () => {
    expect(config.Origins).toEqual([
      {
        Id: 'api',
        DomainName: apiHost,
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
        OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: secretsOf('First') }],
      },
    ]);
  });

  test("caches only the page's files, robots.txt and the icon", () => {
    const cached = config.CacheBehaviors.map((each) => [each.PathPattern, each.CachePolicyId]);

    expect(config.DefaultCacheBehavior).toMatchObject({
      CachePolicyId: cachingDisabled,
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'PATCH']),
    });
    expect(cached).toEqual(
      ['/assets/*', '/robots.txt', '/favicon.ico'].map((path) => [path, cachingOptimized]),
    );
  });

  test('forwards the country and all headers except Host, and adds only missing response headers', () => {
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        TargetOriginId: 'api',
        ViewerProtocolPolicy: 'redirect-to-https',
        OriginRequestPolicyId: allViewerExceptHostHeader,
        ResponseHeadersPolicyId: 'EdgeHeaders',
      });
    }
    const { ResponseHeadersPolicyConfig } = propertiesOf(template, 'EdgeHeaders');
    expect(JSON.stringify(ResponseHeadersPolicyConfig)).not.toContain('"Override":true');
  });

  test('does not block visits for a missing agent or a long query', () => {
    const common = JSON.stringify(propertiesOf(template, 'WebAcl').Rules);
    for (const rule of ['NoUserAgent_HEADER', 'SizeRestrictions_QUERYSTRING']) {
      expect(common).toContain(`{"Name":"${rule}","ActionToUse":{"Count":{}}}`);
    }
  });

  // https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
  test('does not block a body that a route accepts', () => {
    const [, , common] = propertiesOf(template, 'WebAcl').Rules as Rule[];
    const bodyRules = ['SizeRestrictions', 'EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI'];
    const routesWithBody = routes.filter(({ body }) => body !== undefined);
    const largest = routesWithBody.map(({ path }) =>
      path === '/links/import' ? maxImportBytes : maxBodyBytes,
    );

    expect(Math.max(...largest)).toBeGreaterThan(8_192);
    for (const rule of [...bodyRules, 'CrossSiteScripting']) {
      expect(JSON.stringify(common?.Statement)).toContain(
        `{"Name":"${rule}_BODY","ActionToUse":{"Count":{}}}`,
      );
    }
  });

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  test('does not cache errors', () => {
    const kept = config.CustomErrorResponses.map(({ ErrorCode, ErrorCachingMinTTL }) => [
      ErrorCode,
      ErrorCachingMinTTL,
    ]);
    const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(kept).toEqual(codes.map((code) => [code, 0]));
  });

  test('is behind a web ACL that limits the rate of each address and keeps no samples', () => {
    const acl = resolve(template, propertiesOf(template, 'WebAcl')) as Record<string, unknown>;
    const rules = acl.Rules as Rule[];

    expect(template.Resources.WebAcl?.Condition).toBe('HasOwnWebAcl');
    expect(isTrue(template, 'HasOwnWebAcl')).toBe(true);
    expect(config.WebACLId).toBe('arn:WebAcl');
    expect(rules[0]?.Statement).toMatchObject({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2_000 },
    });
    expect(rules.map(({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe.each(['prod-with-edge', 'dev-with-edge'] as const)('%s', async (packageName) => {
  const template = await readStage(packageName);

  test('gives the secrets to its HTTP functions only', () => {
    const secrets = `${secretsOf('First')},${secretsOf('Second')}`;
    const ids = Object.keys(ofType(template, 'AWS::Lambda::Function'));
    const known = ids.filter((id) => 'ORIGIN_SECRETS' in environmentOf(template, id));

    expect(known.toSorted()).toEqual(
      httpFunctions.map((name) => `${name}LambdaFunction`).toSorted(),
    );
    for (const id of known) expect(environmentOf(template, id).ORIGIN_SECRETS).toBe(secrets);
    for (const id of ['FirstOriginSecret', 'SecondOriginSecret']) {
      expect(propertiesOf(template, id).GenerateSecretString).toEqual({
        PasswordLength: 32,
        ExcludePunctuation: true,
      });
    }
  });
});

describe('a stage whose domain moves to CloudFront or back', async () => {
  const template = await readStage('dev-with-both');

  test('accepts requests with and without CloudFront', () => {
    expect(isTrue(template, 'HasApiDomain')).toBe(true);
    for (const name of httpFunctions) {
      expect(environmentOf(template, `${name}LambdaFunction`)).not.toHaveProperty('ORIGIN_SECRETS');
    }
  });
});

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
  const { PUBLIC_ORIGIN } = environmentOf(
    await readStage('dev-with-edge'),
    'CreateLinkLambdaFunction',
  );

  expect(PUBLIC_ORIGIN).toBe('https://Distribution.cloudfront.net');
});

const direct = packaged.filter((name) => !name.includes('-with-'));

test.each(direct)('%s, without CloudFront, has no resources or secrets for it', async (name) => {
  const template = await readStage(name);
  const types = Object.values(template.Resources).map(({ Type }) => Type);
  const variables = Object.keys(ofType(template, 'AWS::Lambda::Function')).flatMap((id) =>
    Object.keys(environmentOf(template, id)),
  );

  expect(types.filter((type) => /CloudFront|WAF|SecretsManager/.test(type))).toEqual([]);
  expect(variables).not.toContain('ORIGIN_SECRETS');
});
