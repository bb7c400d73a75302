import { endAllChildren } from '../engines/child-process.ts';
import { type LocalStack, type StackOptions, startStack } from './stack.ts';

/**
 * Starts a stack, and returns undefined if the signal aborts first. An abort during the start ends
 * every child process, so the start fails and cleans up after itself.
 */
export async function startStackUnlessAborted(
  options: StackOptions,
  signal: AbortSignal,
): Promise<LocalStack | undefined> {
  if (signal.aborted) return undefined;
  signal.addEventListener('abort', endAllChildren, { once: true });
  try {
    const stack = await startStack(options);
    if (!signal.aborted) return stack;
    await stack.stop();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', endAllChildren);
  }
  return undefined;
}
