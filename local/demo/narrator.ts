import { isDeepStrictEqual, styleText } from 'node:util';
import { SingleBar } from 'cli-progress';

const plainLineIntervalMs = 10_000;
const redrawIntervalMs = 500;

export type Narrator = ReturnType<typeof createNarrator>;

/** Tells what the demo does and sees, and remembers what was not as it should be. */
export function createNarrator() {
  let checks = 0;
  let failures = 0;
  const title = (text: string) => console.log(`\n${styleText('bold', text)}`);
  const tell = (text: string) => console.log(`  ${text}`);
  /** Says whether something is as expected. */
  const check = (what: string, actual: unknown, expected: unknown) => {
    checks += 1;
    const isRight = isDeepStrictEqual(actual, expected);
    if (isRight) return console.log(`  ${styleText('green', '✔')} ${what}`);
    failures += 1;
    console.log(`  ${styleText('red', '✖')} ${what}`);
    console.log(`    expected ${JSON.stringify(expected)}; got ${JSON.stringify(actual)}`);
  };
  return { title, tell, check, watch, results: () => ({ checks, failures }) };
}

/**
 * Shows how far a wait of about `totalMs` is: a bar on a terminal, elsewhere a plain line now and
 * then. `update` also says what there is to see meanwhile.
 */
function watch(totalMs: number) {
  const startedMs = performance.now();
  const total = Math.round(totalMs / 1000);
  const seconds = () => Math.round((performance.now() - startedMs) / 1000);
  if (!process.stdout.isTTY) return watchInLines(total, seconds);
  const format = '  [{bar}] {seconds} s of about {total} s{news}';
  const bar = new SingleBar({
    format,
    stream: process.stdout,
    barsize: 24,
    clearOnComplete: true,
    linewrap: true,
  });
  let news = '';
  const draw = () => bar.update(Math.min(total, seconds()), { seconds: seconds(), news });
  bar.start(total, 0, { seconds: 0, news });
  const timer = setInterval(draw, redrawIntervalMs);
  const update = (text: string) => {
    news = ` · ${text}`;
  };
  const end = () => {
    clearInterval(timer);
    bar.stop();
  };
  return { update, end, seconds };
}

function watchInLines(total: number, seconds: () => number) {
  let lastMs = performance.now();
  const update = (news: string) => {
    if (performance.now() - lastMs < plainLineIntervalMs) return;
    lastMs = performance.now();
    console.log(`  … ${seconds()} s of about ${total} s · ${news}`);
  };
  return { update, end: () => undefined, seconds };
}
