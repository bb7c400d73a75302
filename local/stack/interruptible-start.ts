import { endAllChildren } from '../engines/child-process.ts';
import { type LocalStack, type StackOptions, startStack } from './stack.ts';

/**
 * Starts a stack. If the signal aborts meanwhile, every child process ends, so the start fails and
 * cleans up after itself, and the result is undefined.
 */
export async function startStackUnlessAborted(
  options: StackOptions,
  signal: AbortSignal,
): Promise<LocalStack | undefined> {
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
