import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { addStageOptions, findStack, type StackOptions } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';
import { createProgram, runProgram } from './terminal/program.ts';
import { inviteUser } from './user/invite.ts';
import { printToken } from './user/print-token.ts';
import type { User } from './user/target-user.ts';
import { connectUserPool } from './user-pool.ts';

const description = `Invite a user to a stage, or sign a user in.

A stage that takes no passwords from commands, such as staging, signs users in through a browser.
Elsewhere, the password comes from the environment variable PASSWORD, or else from the terminal.
The local stack needs no user, because npm start issues a token.`;

const program = createProgram('user', description);

addCommand('invite', 'create a user; Cognito e-mails a temporary password', inviteUser).option(
  '--resend',
  'replace a temporary password that was lost or has expired',
);

addCommand('token', 'sign in and print an access token, alone on stdout', printToken);

await runProgram(program);

function addCommand<Options>(
  name: string,
  description: string,
  run: (user: User, options: Options) => Promise<void>,
): Command {
  const command = program.command(name).description(description);
  return addStageOptions(command)
    .argument('<email>', "the user's e-mail address", parseEmail)
    .action((email: string, options: Options & StackOptions) => withUser(email, options, run));
}

async function withUser<Options>(
  email: string,
  options: Options & StackOptions,
  run: (user: User, options: Options) => Promise<void>,
): Promise<void> {
  const { stage } = options;
  if (stage === undefined) {
    throw new CommandError(
      'Expected a --stage. The local stack needs no user, because npm start issues a token.',
    );
  }
  const stack = await findStack(options);
  const pool = connectUserPool(stack);
  try {
    await run({ email, stage, stack, pool }, options);
  } finally {
    pool.client.destroy();
  }
}

function parseEmail(text: string): string {
  if (z.email().safeParse(text).success) return text;
  throw new InvalidArgumentError('Expected an e-mail address such as anna@example.com.');
}
