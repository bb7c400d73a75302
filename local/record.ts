import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt, createProgram, runProgram } from '../terminal/program.ts';
import { findFreePort } from './engines/ports.ts';
import { recordSession } from './recording/session.ts';
import { steps } from './recording/steps.ts';
import { drawTerminal } from './recording/svg.ts';
import { createTimeline } from './recording/timeline.ts';

const screen = {
  title:
    'A terminal: npm start, a link that is created and opened, a message that is sent twice and counts once, and an invalid message that dlq list explains.',
  columns: 100,
  visibleRows: 27,
};

const description = `Draw the README's recording of the terminal, in about two minutes.

Starts a stack of its own, runs the commands of local/recording/steps.ts and records what they print.`;

await runProgram(
  createProgram('record', description)
    .argument('[svg]', 'file to write', 'docs/images/terminal.svg')
    .action(record),
);

async function record(file: string): Promise<void> {
  const signal = abortOnInterrupt();
  try {
    const takes = await recordSession(steps, await findFreePort(), signal);
    await writeFile(file, drawTerminal(createTimeline(takes, screen.columns), screen));
    console.log(`Drew ${file}.`);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
