import { styleText } from 'node:util';
import { defaultPort, type StackOutputs } from '../cli/terminal/running-stack.ts';
import { invalidMessage, repeatedClick } from './real-messages.ts';

const code = 'docs';

/**
 * Formats a running stack's address, and commands to try it, which you can paste into any shell.
 * Only the commands are indented, so a test can find them.
 */
export function formatInstructions({ api }: StackOutputs): string {
  const { port } = new URL(api);
  const stack = port === `${defaultPort}` ? '' : ` --port ${port}`;
  const { STACK_FILE } = process.env;
  const run = (command: string) => `  npm run ${command}${stack}`;
  return [
    styleText('bold', `\nclick-tally is ready: open ${api}/`),
    'Sign in to be Ada, or sign out to choose Grace. Or paste these into another terminal, in this folder:\n',
    ...(STACK_FILE ? [`  export STACK_FILE='${STACK_FILE}'`] : []),
    run(`links -- create https://example.com/ --code ${code}`),
    `  curl -i ${api}/${code}`,
    run(`send -- '${repeatedClick(code, 'sent-twice')}' --times 2`),
    run(`links -- show ${code}`),
    run(`send -- '${invalidMessage('names-no-link')}'`),
    '\nThey create a link, open it and send one click twice, which counts once. So the link has 2 clicks after',
    'a moment. The last message does not name a link. After three attempts (90 s), this explains it:\n',
    run('dlq -- list'),
    '\nCtrl-C stops the stack and deletes its links and clicks.',
    '',
  ].join('\n');
}
