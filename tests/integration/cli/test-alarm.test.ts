import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { accountAt, startCloudFormation } from '../../helpers/cloud-formation.ts';
import { runOperatorCommand } from '../../helpers/operator.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const topic = 'arn:aws:sns:us-east-1:123456789012:click-tally-test-AlarmTopic-A1B2C3';
const onStage = ['test-alarm', '--stage', 'test'];

const anna = ['email', 'anna@example.com', `${topic}:1`] as const;
const bob = ['email', 'bob@example.com', 'PendingConfirmation'] as const;

const quiet = { AlarmName: 'click-tally-test-counter-drift', StateValue: 'OK' };
const ringing = { AlarmName: 'click-tally-test-clicks-delayed', StateValue: 'ALARM' };
const silenced = {
  AlarmName: 'click-tally-test-api-slow',
  StateValue: 'OK',
  ActionsEnabled: false,
};

let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;

beforeAll(async () => {
  cloudFormation = await startCloudFormation({ AlarmTopicArn: topic });
});

afterAll(() => cloudFormation.stop());

/** Starts an SNS whose topics have these subscriptions: protocol, endpoint, ARN. */
async function startTopic(subscriptions: readonly (readonly string[])[]): Promise<string> {
  const members = subscriptions.map(
    ([protocol, endpoint, arn]) =>
      `<member><Protocol>${protocol}</Protocol><Endpoint>${endpoint}</Endpoint>` +
      `<SubscriptionArn>${arn}</SubscriptionArn></member>`,
  );
  const server = createServer((_, response) => {
    response.end(
      '<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult>' +
        `<Subscriptions>${members.join('')}</Subscriptions>` +
        '</ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>',
    );
  });
  const { url, stop } = await listen(server);
  onTestFinished(stop);
  return url;
}

/** Runs the command on a stage with these alarms and subscriptions. `sent` has CloudWatch's requests. */
async function runOn(
  stage: { alarms: object[]; subscriptions: readonly (readonly string[])[] },
  args: string[] = [],
) {
  const { url, bodies: sent } = await startScriptedService(
    answerInTurn(answerJson(200, { MetricAlarms: stage.alarms }), answerJson(200, {})),
  );
  const result = await runOperatorCommand('stage.ts', [...onStage, ...args], {
    ...accountAt(cloudFormation.url),
    AWS_ENDPOINT_URL_CLOUDWATCH: url,
    AWS_ENDPOINT_URL_SNS: await startTopic(stage.subscriptions),
  });
  return { ...result, sent };
}

const asked = { ActionPrefix: topic };
const set = (AlarmName: string) => ({
  AlarmName,
  StateValue: 'ALARM',
  StateReason: 'A test of the notification: npm run stage -- test-alarm.',
});

test('a quiet alarm is set, and the recipients are listed', async () => {
  const { code, stdout, stderr, sent } = await runOn({
    alarms: [ringing, silenced, quiet],
    subscriptions: [anna, bob],
  });

  expect(sent).toEqual([asked, set('click-tally-test-counter-drift')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'Set click-tally-test-counter-drift of click-tally-test in us-east-1 to ALARM.\n' +
      `A message with the subject 'ALARM: "click-tally-test-counter-drift" in ...' is on its way to:\n` +
      '  email anna@example.com\n' +
      'Not confirmed yet (see the e-mail "AWS Notification - Subscription Confirmation"):\n' +
      '  email bob@example.com\n' +
      'CloudWatch restores the actual state at its next evaluation, within minutes.\n',
  );
});

test.each(['push-failures', 'click-tally-test-push-failures'])(
  'a named alarm is set: %s',
  async (name) => {
    const named = { AlarmName: 'click-tally-test-push-failures', StateValue: 'INSUFFICIENT_DATA' };

    const { code, sent } = await runOn({ alarms: [quiet, named], subscriptions: [anna] }, [
      '--alarm',
      name,
    ]);

    expect(code).toBe(0);
    expect(sent).toEqual([asked, set('click-tally-test-push-failures')]);
  },
);

const toDeploy = 'Deploy the stage with ALARM_EMAIL: docs/settings.md#dashboard-and-alarms';
const toConfirm =
  'Not confirmed yet (see the e-mail "AWS Notification - Subscription Confirmation"):\n' +
  '  email bob@example.com';

test.each([
  [[], toDeploy],
  [[bob], toConfirm],
  [[['email', 'carol@example.com', 'Deleted']], toDeploy],
])(
  'with the subscriptions %j, no alarm is set and the exit code is 1',
  async (subscriptions, line) => {
    const { sent, ...result } = await runOn({ alarms: [quiet], subscriptions });

    expect(sent).toEqual([asked]);
    expect(result).toEqual({
      code: 1,
      stdout: `Nobody receives the alarms of click-tally-test in us-east-1, so no alarm was set.\n${line}\n`,
      stderr: '',
    });
  },
);

const rings =
  'of click-tally-test in us-east-1 is already in ALARM or has its actions disabled, so setting it would not send a message. Choose another with --alarm.';

test.each([
  [
    'an alarm that does not exist',
    [quiet, ringing],
    ['--alarm', 'drift'],
    'Expected an alarm of click-tally-test in us-east-1; got drift. It has: click-tally-test-counter-drift, click-tally-test-clicks-delayed.',
  ],
  [
    'an alarm that is ringing',
    [quiet, ringing],
    ['--alarm', 'clicks-delayed'],
    `clicks-delayed ${rings}`,
  ],
  ['a stage whose alarms all ring', [ringing, silenced], [], `Every alarm ${rings}`],
])('%s is reported in one line', async (_, alarms, args, line) => {
  const { sent, ...result } = await runOn({ alarms, subscriptions: [anna] }, args);

  expect(sent).toEqual([asked]);
  expect(result).toEqual({ code: 2, stdout: '', stderr: `error: ${line}\n` });
});
