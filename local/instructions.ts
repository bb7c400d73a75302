import { styleText } from 'node:util';
import { defaultPort, type StackOutputs } from '../cli/terminal/running-stack.ts';
import { poisonMessage, repeatedClick } from './real-messages.ts';

const code = 'docs';

/**
 * Formats the address of the page of a running stack, and commands that try it out, to paste into any
 * shell. They alone are indented; a test finds them by that.
 */
export function formatInstructions({ api }: StackOutputs): string {
  const { port } = new URL(api);
  const stack = port === `${defaultPort}` ? '' : ` --port ${port}`;
  const { STACK_FILE } = process.env;
  const run = (command: string) => `  npm run ${command}${stack}`;
  return [
    styleText('bold', `\nclick-tally is ready: open ${api}/`),
    'Sign in makes you Ada; after Sign out, you can also be Grace. Or paste these into another terminal, in this folder:\n',
    ...(STACK_FILE ? [`  export STACK_FILE='${STACK_FILE}'`] : []),
    run(`links -- create https://example.com/ --code ${code}`),
    `  curl -i ${api}/${code}`,
    run(`send -- '${repeatedClick(code, 'sent-twice')}' --times 2`),
    run(`links -- show ${code}`),
    run(`send -- '${poisonMessage('names-no-link')}'`),
    '\nThey create a link and open it, send one click twice (it counts once), and show 2 clicks, a moment',
    'later. The last message names no link: after three attempts, 90 s, this explains it:\n',
    run('dlq -- list'),
    '\nCtrl-C ends the stack, which forgets its links and clicks.',
    '',
  ].join('\n');
}
