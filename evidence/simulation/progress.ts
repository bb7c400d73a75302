import type { Summary } from './report.ts';

/** Shows how far a run is: on a terminal in place, elsewhere as a line now and then. */
export function showProgress(summary: Summary): { stop: () => void } {
  const { isTTY } = process.stderr;
  const show = () => {
    const deliveries = summary.totals.deliveries ?? 0;
    const rate = Math.round(deliveries / Math.max(1, summary.seconds));
    const text = `${summary.seeds} worlds, ${deliveries.toLocaleString('en-US')} deliveries, ${rate} a second, ${summary.violations} violations`;
    process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  };
  const timer = setInterval(show, isTTY ? 500 : 10_000);
  return {
    stop: () => {
      clearInterval(timer);
      if (isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}
