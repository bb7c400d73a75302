import type { Step } from './session.ts';

const message = (id: string, detail: object) => `'${JSON.stringify({ id, detail })}'`;
const at = '2026-05-26T10:00:00Z';

/** The commands of the README's recording. */
export const steps: Step[] = [
  {
    title: 'Start the whole service on this machine. No AWS account, no Docker.',
    command: 'npm start',
    keepsRunning: true,
    until: /Ctrl-C/,
    show: /^(Starting|✔|click-tally is ready)/,
    linePauseMs: 450,
  },
  {
    title: 'In a second terminal: create a link.',
    command: 'npm run links -- create https://example.com/ --code spring',
  },
  {
    title: 'Open it: it redirects.',
    command: 'curl -i http://127.0.0.1:3000/spring',
    show: /^(HTTP|location)/i,
  },
  {
    title: 'The click counts.',
    command: 'npm run links -- show spring',
    until: /has 1 click\b/,
  },
  {
    title: 'AWS can deliver a message more than once. Send one twice …',
    command: `npm run send -- ${message('a-1', { code: 'spring', at })} --times 2`,
  },
  {
    title: '… and it counts once: two clicks, not three.',
    command: 'npm run links -- show spring',
    until: /has 2 clicks\b/,
  },
  {
    title: 'A message that names no link cannot count.',
    command: `npm run send -- ${message('a-2', { at })}`,
  },
  {
    title: 'After three attempts it waits in the dead-letter queue, with the reason.',
    command: 'npm run dlq -- list',
    until: /invalid-click/,
    cutsWait: true,
  },
];
