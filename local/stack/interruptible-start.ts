import { endAllChildren } from '../engines/child-process.ts';
import { summarizeError } from './log-line.ts';
import { type LocalStack, type StackOptions, startStack } from './stack.ts';

/**
 * Starts a stack, and returns undefined if the signal aborts first. An abort during the start ends
 * every child process, so the start fails and cleans up after itself. `onError` also gets the errors
 * that the functions log.
 */
export async function startStackUnlessAborted(
  options: StackOptions,
  signal: AbortSignal,
): Promise<LocalStack | undefined> {
  if (signal.aborted) return undefined;
  const onLog = (line: string) => {
    const summary = summarizeError(line);
    if (summary) options.onError?.(new Error(summary));
  };
  signal.addEventListener('abort', endAllChildren, { once: true });
  try {
    const stack = await startStack({ ...options, onLog });
    if (!signal.aborted) return stack;
    await stack.stop();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', endAllChildren);
  }
  return undefined;
}
