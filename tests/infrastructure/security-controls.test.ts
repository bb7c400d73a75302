import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { openStage } from './stage-template.ts';

type Opened = Awaited<ReturnType<typeof openStage>>;
type Properties = Record<string, unknown>;

/** Whether every resource of a type has these properties. Without such a resource, it fails. */
const every = (type: string, meets: (properties: Properties) => boolean) => (stage: Opened) => {
  const all = Object.values(stage.readType(type));
  expect(all, type).not.toEqual([]);
  return all.every(meets);
};

/** The property at a path of names, such as `DistributionConfig.Logging`. */
const at = (properties: Properties, names: string): unknown =>
  names.split('.').reduce<unknown>((of, name) => Object(of)[name], properties);

const isSet = (names: string) => (properties: Properties) => Boolean(at(properties, names));
const is = (names: string, expected: unknown) => (properties: Properties) =>
  at(properties, names) === expected;

const origins = (properties: Properties) =>
  at(properties, 'DistributionConfig.Origins') as {
    CustomOriginConfig: { OriginProtocolPolicy: string; OriginSSLProtocols: string[] };
  }[];

const statementsOf = (properties: Properties) =>
  at(properties, 'PolicyDocument.Statement') as { Effect: string; Principal: unknown }[];
const isNotPublic = (properties: Properties) =>
  statementsOf(properties).every(({ Effect, Principal }) => Effect === 'Deny' || Principal !== '*');

/**
 * The controls of AWS's Foundational Security Best Practices for the types of resources that a stage
 * has, and whether prod with CloudFront meets them:
 * https://docs.aws.amazon.com/securityhub/latest/userguide/fsbp-standard.html
 */
const controls: Record<string, (stage: Opened) => boolean> = {
  'APIGateway.1': every('ApiGatewayV2::Stage', isSet('DefaultRouteSettings.LoggingLevel')),
  'APIGateway.8': every(
    'ApiGatewayV2::Route',
    ({ AuthorizationType = 'NONE' }) => AuthorizationType !== 'NONE',
  ),
  'APIGateway.9': every('ApiGatewayV2::Stage', isSet('AccessLogSettings')),
  'CloudFront.1': every('CloudFront::Distribution', isSet('DistributionConfig.DefaultRootObject')),
  'CloudFront.3': every(
    'CloudFront::Distribution',
    is('DistributionConfig.DefaultCacheBehavior.ViewerProtocolPolicy', 'redirect-to-https'),
  ),
  'CloudFront.5': every('CloudFront::Distribution', isSet('DistributionConfig.Logging')),
  'CloudFront.6': every('CloudFront::Distribution', isSet('DistributionConfig.WebACLId')),
  'CloudFront.7': every(
    'CloudFront::Distribution',
    isSet('DistributionConfig.ViewerCertificate.AcmCertificateArn'),
  ),
  'CloudFront.8': every(
    'CloudFront::Distribution',
    is('DistributionConfig.ViewerCertificate.SslSupportMethod', 'sni-only'),
  ),
  'CloudFront.9': every('CloudFront::Distribution', (properties) =>
    origins(properties).every(
      ({ CustomOriginConfig }) => CustomOriginConfig.OriginProtocolPolicy === 'https-only',
    ),
  ),
  'CloudFront.10': every('CloudFront::Distribution', (properties) =>
    origins(properties).every(
      ({ CustomOriginConfig }) => !CustomOriginConfig.OriginSSLProtocols.includes('SSLv3'),
    ),
  ),
  'Cognito.1': every('Cognito::UserPool', is('UserPoolAddOns.AdvancedSecurityMode', 'ENFORCED')),
  'Cognito.3': every('Cognito::UserPool', is('Policies.PasswordPolicy.RequireSymbols', true)),
  'Cognito.5': every('Cognito::UserPool', is('MfaConfiguration', 'ON')),
  'Cognito.6': every('Cognito::UserPool', is('DeletionProtection', 'ACTIVE')),
  'DynamoDB.1': ({ idsOf, readType }) =>
    idsOf('ApplicationAutoScaling::ScalableTarget').length > 0 ||
    Object.values(readType('DynamoDB::Table')).every(is('BillingMode', 'PAY_PER_REQUEST')),
  'DynamoDB.2': every(
    'DynamoDB::Table',
    is('PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled', true),
  ),
  'DynamoDB.6': every('DynamoDB::Table', is('DeletionProtectionEnabled', true)),
  'EventBridge.3': ({ idsOf, readType }) => {
    const guarded = Object.values(readType('Events::EventBusPolicy')).map(
      ({ EventBusName }) => EventBusName,
    );
    return idsOf('Events::EventBus').every((id) => guarded.includes(id));
  },
  'Lambda.1': every(
    'Lambda::Permission',
    ({ Principal, SourceArn }) => Principal !== '*' && SourceArn !== undefined,
  ),
  'Lambda.2': every('Lambda::Function', is('Runtime', 'nodejs24.x')),
  'S3.5': every('S3::BucketPolicy', (properties) =>
    statementsOf(properties).some(({ Effect }) => Effect === 'Deny'),
  ),
  'S3.8': every('S3::Bucket', is('PublicAccessBlockConfiguration.BlockPublicPolicy', true)),
  'S3.9': every('S3::Bucket', isSet('LoggingConfiguration')),
  'S3.13': every('S3::Bucket', isSet('LifecycleConfiguration')),
  'SecretsManager.1': ({ idsOf }) => idsOf('SecretsManager::RotationSchedule').length > 0,
  'SNS.4': every('SNS::TopicPolicy', isNotPublic),
  'SQS.1': every('SQS::Queue', is('SqsManagedSseEnabled', true)),
  'SQS.3': every('SQS::QueuePolicy', isNotPublic),
  'WAF.10': every('WAFv2::WebACL', ({ Rules }) => (Rules as unknown[]).length > 0),
  'WAF.12': every('WAFv2::WebACL', is('VisibilityConfig.CloudWatchMetricsEnabled', true)),
};

test('docs/security.md says which controls of AWS a stage meets, and gives a reason for each other one', async () => {
  const page = await readFile(path.join(projectDir, 'docs/security.md'), 'utf8');
  const section = page.split('## Controls of AWS')[1] ?? '';
  const [met = '', ...rows] = section.split('\n| ');
  const stage = await openStage('prod-with-edge');

  const described = {
    met: met.match(/\b\w+\.\d+\b/g)?.filter((control) => control in controls),
    notMet: rows.flatMap((row) => /^(\w+\.\d+) \| \S/.exec(row)?.[1] ?? []),
  };

  const names = Object.keys(controls);
  expect(described).toEqual({
    met: names.filter((control) => controls[control]?.(stage)),
    notMet: names.filter((control) => !controls[control]?.(stage)),
  });
});
