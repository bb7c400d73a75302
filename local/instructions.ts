import { styleText } from 'node:util';
import type { StackOutputs } from '../terminal/stack-file.ts';
import { poisonMessage, repeatedClick } from './real-messages.ts';

const code = 'docs';
const defaultPort = '3000';

/**
 * Formats commands that try out a running stack. They are indented, and nothing else is, so that they
 * can be pasted as they are into any shell.
 */
export function formatInstructions({ api }: StackOutputs): string {
  const { port } = new URL(api);
  const stack = port === defaultPort ? '' : ` --port ${port}`;
  const run = (command: string) => `  npm run ${command}${stack}`;
  return [
    styleText('bold', `\nclick-tally is ready: ${api}`),
    'Paste these into another terminal, in this folder:\n',
    run(`links -- create https://example.com/ --code ${code}`),
    `  curl -i ${api}/${code}`,
    run(`send -- '${repeatedClick(code, 'sent-twice')}' --times 2`),
    run(`links -- show ${code}`),
    run(`send -- '${poisonMessage('names-no-link')}'`),
    run('dlq -- list'),
    '',
    'They create a link and open it, send one click twice (it counts once), and show 2 clicks. The last',
    'message names no link: after three attempts, 90 s, the list of dead letters explains it.\n',
  ].join('\n');
}
