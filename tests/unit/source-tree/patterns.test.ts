import { expect, test } from 'vitest';
import { checkPatterns } from '../../helpers/patterns.ts';

const found = (pattern: string) =>
  expect.stringMatching(new RegExp(`^file.tsx:1 expected ${RegExp.escape(pattern)} to .+; got .+`));
const unknown = 'a pattern that can be checked, in a literal or a template';

test.each([
  // lib/domain.ts once had it: a referrer took 0.9 s.
  ["host.replace(/\\.+$/, '');", ['/\\.+$/']],
  ["RegExp('^(a+)+$', 'i');", ['/^(a+)+$/i']],
  [`f(() => [{ x: new RegExp(\`^\${host}(a+)+$\`) } as X]);`, ['/^word(a+)+$/']],
  ['new RegExp(source);', [unknown]],
  [`/^[\\w-]+(\\.[\\w-]+)*$/.test(host); new RegExp(\`^\${host}$\`); // '/\\.+$/'`, []],
])('the linter finds the patterns that may take more than linear time: %s', (text, patterns) => {
  expect(checkPatterns('file.tsx', text).problems).toEqual(
    patterns.map((one) => (one === unknown ? expect.stringContaining(one) : found(one))),
  );
});
