import { SingleBar } from 'cli-progress';
import { escapeText } from './print.ts';
const barWidth = 24;
/**
 * Shows a command's progress as a bar on stderr, if that's a terminal. If the total proves too small, it
 * grows with the work done.
 */
export function createProgress(total, unit) {
    const format = `[{bar}] {value} of about {total} ${unit}{note}`;
    const bar = new SingleBar({ format, barsize: barWidth, clearOnComplete: true });
    bar.start(total, 0, { note: '' });
    let done = 0;
    return {
        /** Counts finished units. */
        add(count = 1) {
            done += count;
            if (done > bar.getTotal())
                bar.setTotal(done);
            bar.update(done);
        },
        /** Shows a short text next to the numbers. */
        note(text) {
            bar.update(done, { note: ` · ${escapeText(text)}` });
        },
        end: () => bar.stop(),
    };
}
