import type { Packaged } from '../../../tests/infrastructure/stage-template.ts';

/** An accepted finding. It must occur on each of its resources in each of its packages. */
export interface Suppression {
  /** As the test prints it, with `<stage>` for the stage's name in an ARN. */
  rule: string;
  /** Logical ids. */
  resources: readonly string[];
  /** All by default. */
  packages?: readonly Packaged[];
  reason: string;
}

/** Rules that can't apply to the framework's templates. */
export const leftOut = {
  rules: ['W1028', 'W8003', 'W9053'],
  reason:
    'The framework writes the values of params into the conditions. So each condition is constant, ' +
    'one of its branches is unreachable, and conditions with equal values are equal.',
};

const withEdge: readonly Packaged[] = ['prod-with-edge', 'dev-with-edge', 'dev-with-both'];

const connections =
  'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<WebsocketsApi>';
const backupPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';
const anyConnection = "A connection's id is known only while it is open.";

export const suppressions: readonly Suppression[] = [
  {
    rule: `AwsSolutions-IAM5[Resource::${connections}/<stage>/POST/@connections/*]`,
    resources: ['PushCountsRole', 'WatchLinksRole'],
    reason: anyConnection,
  },
  {
    rule: `AwsSolutions-IAM5[Resource::${connections}/<stage>/DELETE/@connections/*]`,
    resources: ['WatchLinksRole'],
    reason: anyConnection,
  },
  {
    rule: `AwsSolutions-IAM4[Policy::${backupPolicy}]`,
    resources: ['BackupRole'],
    reason: "The account's settings decide which permissions a backup and its copy need.",
  },
  {
    rule: 'W9003',
    resources: ['BackupPlan'],
    packages: ['dev-with-both'],
    reason: 'A param on the command line is a string, which CloudFormation converts to a number.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    resources: [
      ...['HttpApiRouteGetCodeVar', 'HttpApiRouteGetCodeVarRestVar'],
      ...['HttpApiRouteHeadCodeVar', 'HttpApiRouteHeadCodeVarRestVar'],
    ],
    reason: 'Visitors follow a link without an account.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    resources: [
      ...['HttpApiRouteGet', 'HttpApiRouteGetAssetsFileVar'],
      ...['HttpApiRouteGetFaviconico', 'HttpApiRouteGetRobotstxt'],
    ],
    reason: 'The live page has no data before a user signs in.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    resources: [
      'SdefaultWebsocketsRoute',
      'SdisconnectWebsocketsRoute',
      'pingWebsocketsRoute',
      'unwatchWebsocketsRoute',
      'watchWebsocketsRoute',
    ],
    reason: 'A WebSocket API authorizes only on $connect.',
  },
  {
    rule: 'AwsSolutions-APIG1',
    resources: ['WebsocketsDeploymentStage'],
    reason:
      "This log needs a role in the account's settings, so a stage writes it only with liveAccessLog.",
  },
  {
    rule: 'AwsSolutions-SQS3',
    resources: ['ClickRuleDLQ'],
    reason: "It is a rule's dead-letter queue, which the rule set does not recognise as one.",
  },
  {
    rule: 'AwsSolutions-S1',
    resources: ['ServerlessDeploymentBucket'],
    reason:
      'Only deployments use the bucket, and its access log needs a second bucket without a log.',
  },
  {
    rule: 'AwsSolutions-COG1',
    resources: ['UserPool'],
    reason:
      'A password has at least 14 characters, and NIST SP 800-63B advises length instead of symbols.',
  },
  {
    rule: 'AwsSolutions-COG2',
    resources: ['UserPool'],
    packages: ['local', 'dev', 'staging', 'dev-with-edge', 'dev-with-both'],
    reason: 'Users of dev choose for themselves, so that scripts can sign in.',
  },
  {
    rule: 'AwsSolutions-COG8',
    resources: ['UserPool'],
    reason: 'The Plus plan is charged per user, and an operator invites every user.',
  },
  {
    rule: 'AwsSolutions-CFR1',
    resources: ['Distribution'],
    packages: withEdge,
    reason: 'Visitors come from every country.',
  },
  {
    rule: 'AwsSolutions-CFR3',
    resources: ['Distribution'],
    packages: withEdge,
    reason: "The log would contain every visitor's address and agent.",
  },
  {
    rule: 'AwsSolutions-CFR4',
    resources: ['Distribution'],
    packages: withEdge,
    reason:
      'A stage with a domain requires TLS 1.2, but the rule set does not see that behind a condition. ' +
      "CloudFront's own address has CloudFront's certificate and also accepts older versions.",
  },
  {
    rule: 'AwsSolutions-SMG4',
    resources: ['FirstOriginSecret', 'SecondOriginSecret'],
    packages: withEdge,
    reason:
      'CloudFront and the functions get the secrets at deployment, so only a deployment can rotate them.',
  },
];
