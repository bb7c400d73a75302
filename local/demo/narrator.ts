import { isDeepStrictEqual, styleText } from 'node:util';
import { escapeText, printLine } from '../../cli/terminal/print.ts';

export type Narrator = ReturnType<typeof createNarrator>;

/** Prints what the demo does and sees, and counts the failed checks. */
export function createNarrator() {
  let checks = 0;
  let failures = 0;
  const title = (text: string) => console.log(`\n${styleText('bold', text)}`);
  const tell = (text: string) => printLine(`  ${text}`);
  const check = (text: string, actual: unknown, expected: unknown) => {
    checks += 1;
    const claim = escapeText(text);
    const isRight = isDeepStrictEqual(actual, expected);
    if (isRight) return console.log(`  ${styleText('green', '✔')} ${claim}`);
    failures += 1;
    console.log(`  ${styleText('red', '✖')} ${claim}`);
    printLine(`    expected ${JSON.stringify(expected)}; got ${JSON.stringify(actual)}`);
  };
  return { title, tell, check, results: () => ({ checks, failures }) };
}
