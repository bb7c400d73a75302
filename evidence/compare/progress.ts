import { styleText } from 'node:util';
import type { CellResult } from './cell.ts';
import { describeVerdict } from './report/outcome.ts';

const barWidth = 24;
const linesWithoutTerminal = 10;

/** Shows how far it is: a line that renews itself, or without a terminal a line now and then. */
export function createProgress(total: number, output = process.stderr) {
  const step = Math.max(1, Math.ceil(total / linesWithoutTerminal));
  const start = performance.now();
  return {
    show({ approach, fault, effect, ...rest }: CellResult, done: number): void {
      const seconds = Math.round((performance.now() - start) / 1000);
      if (!output.isTTY) {
        if (done % step === 0 || done === total) {
          output.write(`${done} of ${total} cells after ${seconds} s\n`);
        }
        return;
      }
      const filled = Math.round((barWidth * done) / total);
      const bar = styleText('cyan', '█'.repeat(filled)) + '░'.repeat(barWidth - filled);
      const verdict = describeVerdict({ approach, fault, effect, ...rest });
      const text = `${done}/${total}  ${seconds} s  ${approach} × ${fault}: ${verdict}`;
      output.write(`\r\x1b[K${bar} ${text.slice(0, (output.columns ?? 80) - barWidth - 2)}`);
      if (done === total) output.write('\r\x1b[K');
    },
  };
}
