import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { addStageOptions, findStack, type StackOptions } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';
import { createProgram, runProgram } from './terminal/program.ts';
import { testAlarm } from './test-alarm.ts';
import { inviteUser } from './user/invite.ts';
import { printToken } from './user/print-token.ts';
import { removeUser } from './user/remove.ts';
import { connectUserPool, type User } from './user-pool.ts';

const description = `Invite a user to a deployed stage, sign a user in, remove a user, or test an alarm.

Stages that don't accept passwords from commands, such as staging, sign users in through a browser.
On other stages, the password comes from the environment variable PASSWORD or from the terminal.
The local stack doesn't need users, because npm start issues a token.`;

const program = createProgram('stage', description);

addCommand('invite', 'create a user; Cognito e-mails a temporary password', inviteUser).option(
  '--resend',
  'replace a temporary password that was lost or has expired',
);

addCommand('token', 'sign in and print an access token, and nothing else, to stdout', printToken);

addCommand('remove', "delete a user and revoke the user's API keys", removeUser).option(
  '--id <sub>',
  "only revoke the keys, if the user doesn't exist any more: the user's id, as links show says",
);

addStageOptions(
  program
    .command('test-alarm')
    .description('set an alarm to ALARM for a moment, to test its notification'),
)
  .option('--alarm <name>', 'the alarm, such as counter-drift (default: any that is not in ALARM)')
  .action(runAlarmTest);

await runProgram(program);

function addCommand<Options>(
  name: string,
  description: string,
  run: (user: User, options: Options) => Promise<void>,
): Command {
  const command = program.command(name).description(description);
  return addStageOptions(command)
    .argument('<email>', "the user's e-mail address", parseEmail)
    .action(async (email: string, options: Options & StackOptions) => {
      const stage = requireStage(options, "doesn't need users, because npm start issues a token");
      const stack = await findStack(options);
      await run({ email, stage, stack, pool: connectUserPool(stack) }, options);
    });
}

async function runAlarmTest(options: StackOptions & { alarm?: string }): Promise<void> {
  const stage = requireStage(options, "doesn't have alarms");
  await testAlarm(await findStack(options), stage, options.alarm);
}

function requireStage({ stage }: StackOptions, reason: string): string {
  if (stage !== undefined) return stage;
  throw new CommandError(`Expected --stage; got none. The local stack ${reason}.`);
}

function parseEmail(text: string): string {
  if (z.email().safeParse(text).success) return text;
  throw new InvalidArgumentError('Expected an e-mail address such as anna@example.com.');
}
