import type { Packaged } from '../../../tests/infrastructure/stage-template.ts';

/**
 * A finding of a rule set that is right as it is. It must occur on each resource in each package
 * that it names; otherwise a test asks to remove it.
 */
export interface Suppression {
  /** As the test prints it; `<stage>` stands for the stage's name in an ARN. */
  rule: string;
  /** Logical ids. */
  resources: readonly string[];
  /** All, if left out. */
  packages?: readonly Packaged[];
  reason: string;
}

/** Rules that cannot apply to any template that the framework packages. */
export interface LeftOutRules {
  rules: readonly string[];
  reason: string;
}

export const leftOut: LeftOutRules = {
  rules: ['W1028', 'W8003', 'W9053'],
  reason:
    'While it packages, the framework writes the params of the stage into the conditions. So each ' +
    'is constant, one of its branches is out of reach, and those of equal params are alike.',
};

const withEdge: readonly Packaged[] = ['prod-with-edge', 'dev-with-edge', 'dev-with-both'];

const connections =
  'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<WebsocketsApi>';
const backupPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';
const anyConnection = 'The id of a connection is known only while it is open.';

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
    reason: 'Settings of the account decide which permissions a backup and its copy need.',
  },
  {
    rule: 'W9003',
    resources: ['BackupPlan'],
    packages: ['dev-with-both'],
    reason: 'A param of the command line is a string, which CloudFormation takes for a number.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    resources: ['HttpApiRouteGetCodeVar', 'HttpApiRouteHeadCodeVar'],
    reason: 'Visitors follow a link without an account.',
  },
  {
    rule: 'AwsSolutions-APIG4',
    resources: ['HttpApiRouteGet', 'HttpApiRouteGetAssetsFileVar'],
    reason: 'The live page holds no data until somebody signs in on it.',
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
    reason: 'A WebSocket API authorizes on $connect, and takes no authorizer on other routes.',
  },
  {
    rule: 'AwsSolutions-APIG1',
    resources: ['WebsocketsDeploymentStage'],
    reason:
      'This log needs a role that the account names once for all its APIs, so a stage writes it ' +
      'only with liveAccessLog.',
  },
  {
    rule: 'AwsSolutions-SQS3',
    resources: ['ClickRuleDLQ'],
    reason: 'It is the dead-letter queue of a rule, which the rule set does not recognise as one.',
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
    reason: 'Each user of a stage for trials decides, so that scripts can sign in to dev.',
  },
  {
    rule: 'AwsSolutions-COG8',
    resources: ['UserPool'],
    reason: 'The Plus plan has a price for each user, and an operator invites every user.',
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
    reason: 'The log would hold the address and the agent of each visitor.',
  },
  {
    rule: 'AwsSolutions-CFR4',
    resources: ['Distribution'],
    packages: withEdge,
    reason:
      'A stage with a domain takes TLS 1.2 and later, which the rule set does not see behind a ' +
      "condition. CloudFront's own address has CloudFront's certificate, and takes older ones too.",
  },
  {
    rule: 'AwsSolutions-SMG4',
    resources: ['FirstOriginSecret', 'SecondOriginSecret'],
    packages: withEdge,
    reason:
      'CloudFront and the functions read the secrets when they are deployed, so only a deployment ' +
      'can replace one.',
  },
];
