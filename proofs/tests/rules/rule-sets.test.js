import path from 'node:path';
import { expect, test } from 'vitest';
import { packageDirOf } from '../../../tests/infrastructure/stage-template.ts';
import { findViolations } from './rule-sets.ts';
/**
 * Rules that can't apply: the framework writes the values of params into the conditions. So each is
 * constant, one of its branches is unreachable, and conditions with equal values are equal. And a rule
 * about routes without an authorizer, which tests/infrastructure lists.
 */
const leftOut = ['W1028', 'W8003', 'W9053', 'AwsSolutions-APIG4'];
const anyConnection = "A connection's id is known only while it is open.";
/** Accepted findings, by rule and logical id. An ARN in a rule's name is shortened to its end. */
const accepted = {
    'AwsSolutions-IAM5[POST/@connections/*] PushCountsRole': anyConnection,
    'AwsSolutions-IAM5[POST/@connections/*] WatchLinksRole': anyConnection,
    'AwsSolutions-IAM5[DELETE/@connections/*] WatchLinksRole': anyConnection,
    'AwsSolutions-IAM4[AWSBackupServiceRolePolicyForBackup] BackupRole': "The account's settings decide which permissions a backup and its copy need.",
    'W9003 BackupPlan': 'A param on the command line is a string, which CloudFormation converts to a number.',
    'AwsSolutions-APIG1 WebsocketsDeploymentStage': "This log needs a role in the account's settings, so a stage writes it only with liveAccessLog.",
    'AwsSolutions-SQS3 ClickRuleDLQ': "It is a rule's dead-letter queue, which the rule set does not recognise as one.",
    'AwsSolutions-S1 ServerlessDeploymentBucket': 'Only deployments use the bucket, and its access log needs a second bucket without a log.',
    'AwsSolutions-COG1 UserPool': 'A password has at least 14 characters, and NIST SP 800-63B advises length instead of symbols.',
    'AwsSolutions-COG2 UserPool': 'Users of dev choose for themselves, so that scripts can sign in.',
    'AwsSolutions-COG8 UserPool': 'The Plus plan is charged per user, and an operator invites every user.',
    'AwsSolutions-CFR1 Distribution': 'Visitors come from every country.',
    'AwsSolutions-CFR3 Distribution': "The log would contain every visitor's address and agent.",
    'AwsSolutions-CFR4 Distribution': "A stage with a domain requires TLS 1.2, which the rule set doesn't see behind a condition.",
    'AwsSolutions-SMG4 FirstOriginSecret': 'CloudFront and the functions get the secrets at deployment, so only a deployment can rotate them.',
    'AwsSolutions-SMG4 SecondOriginSecret': 'As the first one.',
};
// Together, these have every resource of all stages.
test.each(['prod-with-edge', 'dev-with-both'])("AWS's rule sets accept %s", (name) => {
    const file = path.join(packageDirOf(name), 'cloudformation-template-update-stack.json');
    const found = findViolations(file)
        .filter(({ rule }) => !leftOut.includes(rule))
        .map(({ rule, resource, problem }) => {
        const shortRule = rule.replace(/\[\w+::arn:.*\/(\w+(\/@connections\/\*)?)\]$/, '[$1]');
        return [`${shortRule} ${resource}`, problem];
    });
    expect(found.filter(([finding]) => !accepted[finding]), 'Fix a new finding in infra/, or explain it in proofs/tests/rules/rule-sets.test.ts.').toEqual([]);
});
