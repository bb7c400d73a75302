import { endAllChildren } from '../engines/child-process.ts';
import { startStack } from './stack.ts';
// esbuild and serverless-esbuild write these when changed code doesn't build.
const buildErrorLine = /^✘ \[ERROR\] (.*)|^[✖×] (Bundle error.*)/;
/**
 * Starts a stack, and returns undefined if the signal aborts first. An abort during the start ends
 * every child process, so the start fails and cleans up after itself. `onError` also gets the errors
 * that the functions log.
 */
export async function startStackUnlessAborted(options, signal) {
    if (signal.aborted)
        return undefined;
    const onLog = (line) => {
        const summary = summarizeError(line);
        if (summary)
            options.onError?.(new Error(summary));
    };
    signal.addEventListener('abort', endAllChildren, { once: true });
    try {
        const stack = await startStack({ ...options, onLog });
        if (!signal.aborted)
            return stack;
        await stack.stop();
    }
    catch (error) {
        if (!signal.aborted)
            throw error;
    }
    finally {
        signal.removeEventListener('abort', endAllChildren);
    }
    return undefined;
}
/**
 * Summarizes a line of the functions' log that reports an error: Powertools' JSON of level ERROR or
 * above, or a failed build. Returns undefined for any other line.
 */
function summarizeError(line) {
    const [, buildError, reloadError] = buildErrorLine.exec(line) ?? [];
    if (buildError ?? reloadError)
        return buildError ?? reloadError;
    const entry = parse(line);
    if (entry.level !== 'ERROR' && entry.level !== 'CRITICAL')
        return undefined;
    const { function_name: name = entry.service, message, detail, error } = entry;
    const reason = detail ?? Object(error).message;
    return `${name}: ${message}${reason === undefined ? '' : `: ${reason}`}`;
}
function parse(line) {
    try {
        return Object(JSON.parse(line));
    }
    catch {
        return {};
    }
}
