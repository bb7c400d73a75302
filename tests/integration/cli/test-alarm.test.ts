import { expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../../loopback/http-server.ts';
import { useAccount } from '../../helpers/cloud-formation.ts';
import { mistake, runOperatorCommand } from '../../helpers/operator.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const topic = 'arn:aws:sns:us-east-1:123456789012:click-tally-test-AlarmTopic-A1B2C3';
const account = useAccount(() => ({ AlarmTopicArn: topic }));
const stage = 'click-tally-test in us-east-1';

const anna = ['email', 'anna@example.com', `${topic}:1`];
const bob = ['email', 'bob@example.com', 'PendingConfirmation'];
const carol = ['email', 'carol@example.com', 'Deleted'];

const alarm = (name: string, StateValue: string, ActionsEnabled = true) => ({
  AlarmName: `click-tally-test-${name}`,
  StateValue,
  ActionsEnabled,
});
const quiet = alarm('counter-drift', 'OK');
const ringing = alarm('clicks-delayed', 'ALARM');
const silenced = alarm('api-slow', 'OK', false);
const unknown = alarm('push-failures', 'INSUFFICIENT_DATA');

/** Starts an SNS whose topics have these subscriptions: protocol, endpoint, ARN. */
async function startTopic(subscriptions: string[][]): Promise<string> {
  const members = subscriptions.map(
    ([protocol, endpoint, arn]) =>
      `<member><Protocol>${protocol}</Protocol><Endpoint>${endpoint}</Endpoint>` +
      `<SubscriptionArn>${arn}</SubscriptionArn></member>`,
  );
  const list = 'ListSubscriptionsByTopic';
  const body = `<${list}Response><${list}Result><Subscriptions>${members.join('')}</Subscriptions></${list}Result></${list}Response>`;
  const { url, stop } = await startHttpServer(async () => ({ status: 200, body }));
  onTestFinished(stop);
  return url;
}

/** Runs the command on a stage with these alarms and subscriptions. `sent` has CloudWatch's requests. */
async function run(MetricAlarms: object[], subscriptions: string[][], ...options: string[]) {
  const { url, bodies: sent } = await startScriptedService(
    answerInTurn(answerJson(200, { MetricAlarms }), answerJson(200, {})),
  );
  const args = ['test-alarm', '--stage', 'test', ...options];
  const result = await runOperatorCommand('stage.ts', args, {
    ...account,
    AWS_ENDPOINT_URL_CLOUDWATCH: url,
    AWS_ENDPOINT_URL_SNS: await startTopic(subscriptions),
  });
  return { ...result, sent };
}

const asked = { ActionPrefix: topic };
const set = (AlarmName: string) => ({
  AlarmName,
  StateValue: 'ALARM',
  StateReason: 'A test of the notification: npm run stage -- test-alarm.',
});
const toConfirm =
  'Not confirmed yet (see the e-mail "AWS Notification - Subscription Confirmation"):\n' +
  '  email bob@example.com\n';

test('a quiet alarm is set, and the recipients are listed', async () => {
  expect(await run([ringing, silenced, quiet], [anna, bob])).toEqual({
    sent: [asked, set('click-tally-test-counter-drift')],
    code: 0,
    stderr: '',
    stdout:
      `Set click-tally-test-counter-drift of ${stage} to ALARM.\n` +
      `A message with the subject 'ALARM: "click-tally-test-counter-drift" in ...' is on its way to:\n` +
      `  email anna@example.com\n${toConfirm}` +
      'CloudWatch restores the actual state at its next evaluation, within minutes.\n',
  });
});

test.each(['push-failures', 'click-tally-test-push-failures'])(
  'a named alarm is set: %s',
  async (name) => {
    const { code, sent } = await run([quiet, unknown], [anna], '--alarm', name);

    expect(code).toBe(0);
    expect(sent).toEqual([asked, set('click-tally-test-push-failures')]);
  },
);

test.each([
  [[carol], 'Deploy the stage with ALARM_EMAIL: docs/settings.md#dashboard-and-alarms\n'],
  [[bob], toConfirm],
])('with only the subscriptions %j, no alarm is set and the exit code is 1', async (some, line) => {
  const stdout = `Nobody receives the alarms of ${stage}, so no alarm was set.\n${line}`;

  expect(await run([quiet], some)).toEqual({ code: 1, stdout, stderr: '', sent: [asked] });
});

const rings = `of ${stage} is already in ALARM or has its actions disabled, so setting it would not send a message. Choose another with --alarm.`;

test.each([
  [
    ['--alarm', 'drift'],
    [quiet, ringing],
    `Expected an alarm of ${stage}; got drift. It has: click-tally-test-counter-drift, click-tally-test-clicks-delayed.`,
  ],
  [['--alarm', 'clicks-delayed'], [quiet, ringing], `clicks-delayed ${rings}`],
  [[], [ringing, silenced], `Every alarm ${rings}`],
])('with %j among %j, no alarm is set, and the reason is one line', async (args, alarms, line) => {
  expect(await run(alarms, [anna], ...args)).toEqual({ ...mistake(line), sent: [asked] });
});
