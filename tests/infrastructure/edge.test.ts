import { describe, expect, test } from 'vitest';
import { openStage, packaged, stages } from './stage-template.ts';

const apiHost = 'HttpApi.execute-api.us-east-1.amazonaws.com';
const secretsOf = (id: string) => `{{resolve:secretsmanager:${id}OriginSecret:SecretString}}`;

// AWS's own policies:
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const cachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

describe.each(['prod-with-edge', 'dev-with-both'] as const)('CloudFront of %s', async (name) => {
  const { template, read, expects, has } = await openStage(name);

  test('calls the API over TLS 1.2 with the secret, and keeps no log of visitors', () => {
    const { DistributionConfig } = read('Distribution');

    expect(DistributionConfig).not.toHaveProperty('Logging');
    expect(DistributionConfig).toMatchObject({
      Origins: [
        {
          DomainName: apiHost,
          CustomOriginConfig: {
            OriginProtocolPolicy: 'https-only',
            OriginSSLProtocols: ['TLSv1.2'],
          },
          OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: secretsOf('First') }],
        },
      ],
    });
  });

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  test('caches only files and no errors, forwards the country and headers, and adds only missing ones', () => {
    const forwarded = {
      ViewerProtocolPolicy: 'redirect-to-https',
      ResponseHeadersPolicyId: 'EdgeHeaders',
      OriginRequestPolicyId: allViewerExceptHostHeader,
    };
    const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

    expects({
      Distribution: {
        DistributionConfig: {
          DefaultCacheBehavior: {
            ...forwarded,
            CachePolicyId: cachingDisabled,
            AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'PATCH']),
          },
          CacheBehaviors: ['/assets/*', '/robots.txt', '/favicon.ico'].map((PathPattern) => {
            return { ...forwarded, PathPattern, CachePolicyId: cachingOptimized };
          }),
          CustomErrorResponses: codes.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
        },
      },
    });
    expect(JSON.stringify(read('EdgeHeaders'))).not.toContain('"Override":true');
  });

  // https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
  test('does not block a visit for a missing agent or a long query, or a body that a route accepts', () => {
    const rules = ['SizeRestrictions', 'EC2MetaDataSSRF', 'GenericLFI', 'GenericRFI'];
    const bodyRules = [...rules, 'CrossSiteScripting'].map((rule) => `${rule}_BODY`);

    for (const rule of ['NoUserAgent_HEADER', 'SizeRestrictions_QUERYSTRING', ...bodyRules]) {
      const counted = `{"Name":"${rule}","ActionToUse":{"Count":{}}}`;
      expect(JSON.stringify(read('WebAcl').Rules)).toContain(counted);
    }
  });

  test('is behind a web ACL that limits the rate of each address and keeps no samples', () => {
    const unsampled = { VisibilityConfig: { SampledRequestsEnabled: false } };
    const RateBasedStatement = { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2_000 };

    expect(template.Resources.WebAcl?.Condition).toBe('HasOwnWebAcl');
    expect(has('HasOwnWebAcl')).toBe(true);
    expects({
      Distribution: { DistributionConfig: { WebACLId: 'arn:WebAcl' } },
      WebAcl: {
        Rules: [{ ...unsampled, Statement: { RateBasedStatement } }, unsampled, unsampled],
      },
    });
  });
});

// While a domain moves to CloudFront or back, visitors come both ways, so dev-with-both has no secrets.
test.each(packaged)(
  'the secrets of %s are random, and known to the functions of its HTTP API only',
  async (name) => {
    const { template, idsOf, read, environment } = await openStage(name);
    const hasSecrets = name === 'prod-with-edge' || name === 'prod-with-standby';
    const secrets = `${secretsOf('First')},${secretsOf('Second')}`;

    for (const id of idsOf('Lambda::Function')) {
      const each = id.replace('LambdaFunction', '');
      const isKnown = hasSecrets && `${each}LambdaPermissionHttpApi` in template.Resources;
      expect(environment(each).ORIGIN_SECRETS, each).toBe(isKnown ? secrets : undefined);
    }
    for (const id of idsOf('SecretsManager::Secret')) {
      const random = { PasswordLength: 32, ExcludePunctuation: true };
      expect(read(id)).toMatchObject({ GenerateSecretString: random });
    }
  },
);

test.each(stages)('%s, without CloudFront, has no resources for it', async (name) => {
  const { template } = await openStage(name);
  const types = Object.values(template.Resources).map(({ Type }) => Type);

  expect(types.filter((type) => /CloudFront|WAF|SecretsManager/.test(type))).toEqual([]);
});
