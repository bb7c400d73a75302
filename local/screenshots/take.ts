import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { abortOnInterrupt } from '../../cli/terminal/program.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { launchBrowser } from '../engines/chromium.ts';
import { startStackUnlessAborted } from '../stack/interruptible-start.ts';
import { pictures } from './pictures.ts';
import { createUsedLink } from './used-link.ts';

/** Takes the pictures on a new stack, with a month's clicks on a link. */
export async function takeScreenshots(folder: string): Promise<void> {
  const signal = abortOnInterrupt();
  await using cleanup = new AsyncDisposableStack();
  const onProgress = (text: string) => console.log(text);
  const stack = await startStackUnlessAborted({ onProgress }, signal);
  if (!stack) return;
  cleanup.defer(stack.stop);
  try {
    await takeAll(stack.outputs, folder, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function takeAll(stack: StackOutputs, folder: string, signal: AbortSignal): Promise<void> {
  const code = await createUsedLink(stack, signal);
  console.log(`${code} has a month's clicks.`);
  await using browser = await launchBrowser({ hasPackagedFont: true });
  signal.addEventListener('abort', () => void browser.close());
  await mkdir(folder, { recursive: true });
  for (const { name, take } of pictures) {
    signal.throwIfAborted();
    const file = path.join(folder, `${name}.png`);
    await writeFile(file, await take(browser, `${stack.api}/${code}`));
    console.log(`Took ${file}.`);
  }
}
