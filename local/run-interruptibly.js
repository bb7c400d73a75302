import { abortOnInterrupt } from '../cli/terminal/program.ts';
import { endAllChildren } from './engines/child-process.ts';
/**
 * Runs a proof. Ctrl-C aborts the signal and ends every program that the proof has started, so that
 * the proof fails and cleans up. That failure isn't printed. A proof that can stop its own programs
 * calls `keepPrograms`.
 */
export async function runInterruptibly(prove) {
    const signal = abortOnInterrupt();
    const endPrograms = () => void endAllChildren();
    signal.addEventListener('abort', endPrograms);
    try {
        await prove(signal, () => signal.removeEventListener('abort', endPrograms));
    }
    catch (error) {
        if (!signal.aborted)
            throw error;
    }
}
