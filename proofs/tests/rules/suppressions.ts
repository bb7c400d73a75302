import type { Packaged } from '../../../tests/infrastructure/stage-template.ts';

/**
 * Rules that can't apply: the framework writes the values of params into the conditions. So each is
 * constant, one of its branches is unreachable, and conditions with equal values are equal.
 */
export const leftOut = ['W1028', 'W8003', 'W9053'];

const withEdge: readonly Packaged[] = ['prod-with-edge', 'dev-with-both'];
const withChoice: readonly Packaged[] = ['local', 'dev', 'staging', 'dev-with-both'];
const connections =
  'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<WebsocketsApi>';
const backupPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup';
const anyConnection = "A connection's id is known only while it is open.";

/**
 * Accepted findings. Each must occur on each of its resources in each of its packages, all by default.
 * The rule is as the test prints it, with `<stage>` for the stage's name in an ARN, and the resources
 * are logical ids.
 */
export const suppressions: [
  rule: string,
  resources: string,
  reason: string,
  packages?: readonly Packaged[],
][] = [
  [
    `AwsSolutions-IAM5[Resource::${connections}/<stage>/POST/@connections/*]`,
    'PushCountsRole WatchLinksRole',
    anyConnection,
  ],
  [
    `AwsSolutions-IAM5[Resource::${connections}/<stage>/DELETE/@connections/*]`,
    'WatchLinksRole',
    anyConnection,
  ],
  [
    `AwsSolutions-IAM4[Policy::${backupPolicy}]`,
    'BackupRole',
    "The account's settings decide which permissions a backup and its copy need.",
  ],
  [
    'W9003',
    'BackupPlan',
    'A param on the command line is a string, which CloudFormation converts to a number.',
    ['dev-with-both'],
  ],
  [
    'AwsSolutions-APIG4',
    'HttpApiRouteGetCodeVar HttpApiRouteGetCodeVarRestVar HttpApiRouteHeadCodeVar HttpApiRouteHeadCodeVarRestVar',
    'Visitors follow a link without an account.',
  ],
  [
    'AwsSolutions-APIG4',
    'HttpApiRouteGet HttpApiRouteGetAssetsFileVar HttpApiRouteGetFaviconico HttpApiRouteGetRobotstxt',
    'The live page has no data before a user signs in.',
  ],
  [
    'AwsSolutions-APIG4',
    'HttpApiRouteGetApiLinks HttpApiRouteGetApiLinksCodeVarStats HttpApiRoutePostApiLinks HttpApiRoutePostApiLinksImport HttpApiRoutePatchApiLinksCodeVar HttpApiRouteDeleteApiLinksCodeVar HttpApiRoutePostApiLinksCodeVarRestore',
    'The functions check the API key (lib/http/owner-api.ts).',
  ],
  [
    'AwsSolutions-APIG4',
    'SdefaultWebsocketsRoute SdisconnectWebsocketsRoute pingWebsocketsRoute unwatchWebsocketsRoute watchWebsocketsRoute',
    'A WebSocket API authorizes only on $connect.',
  ],
  [
    'AwsSolutions-APIG1',
    'WebsocketsDeploymentStage',
    "This log needs a role in the account's settings, so a stage writes it only with liveAccessLog.",
  ],
  [
    'AwsSolutions-SQS3',
    'ClickRuleDLQ',
    "It is a rule's dead-letter queue, which the rule set does not recognise as one.",
  ],
  [
    'AwsSolutions-S1',
    'ServerlessDeploymentBucket',
    'Only deployments use the bucket, and its access log needs a second bucket without a log.',
  ],
  [
    'AwsSolutions-COG1',
    'UserPool',
    'A password has at least 14 characters, and NIST SP 800-63B advises length instead of symbols.',
  ],
  [
    'AwsSolutions-COG2',
    'UserPool',
    'Users of dev choose for themselves, so that scripts can sign in.',
    withChoice,
  ],
  [
    'AwsSolutions-COG8',
    'UserPool',
    'The Plus plan is charged per user, and an operator invites every user.',
  ],
  ['AwsSolutions-CFR1', 'Distribution', 'Visitors come from every country.', withEdge],
  [
    'AwsSolutions-CFR3',
    'Distribution',
    "The log would contain every visitor's address and agent.",
    withEdge,
  ],
  [
    'AwsSolutions-CFR4',
    'Distribution',
    "A stage with a domain requires TLS 1.2, which the rule set doesn't see behind a condition.",
    withEdge,
  ],
  [
    'AwsSolutions-SMG4',
    'FirstOriginSecret SecondOriginSecret',
    'CloudFront and the functions get the secrets at deployment, so only a deployment can rotate them.',
    withEdge,
  ],
];
