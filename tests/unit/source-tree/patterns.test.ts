import { expect, test } from 'vitest';
import { checkPatterns } from '../../helpers/patterns.ts';

const slow = (place: string, pattern: string) =>
  expect.stringMatching(
    new RegExp(`^${place} expected ${RegExp.escape(pattern)} to take linear time; got .+ on .+$`),
  );

test.each([
  // lib/domain.ts once had it: a referrer took 0.9 s.
  ["host.replace(/\\.+$/, '');", [slow('file.ts:1', '/\\.+$/')]],
  ['\nconst words = /^(\\w+\\s?)*$/i;', [slow('file.ts:2', '/^(\\w+\\s?)*$/i')]],
  ["RegExp('^(a+)+$', 'i');", [slow('file.ts:1', '/^(a+)+$/i')]],
  [`new RegExp(\`^\${host}(a+)+$\`);`, [slow('file.ts:1', '/^word(a+)+$/')]],
  ['f(() => [{ x: /a*b/ } as X]);', [slow('file.ts:1', '/a*b/')]],
  [
    'new RegExp(source);',
    [
      'file.ts:1 expected a pattern that can be checked, in a literal or a template; got one that only the running program knows',
    ],
  ],
])('a pattern that may take more than linear time is reported: %j', (text, problems) => {
  expect(checkPatterns('file.ts', text).problems).toEqual(problems);
});

test.each([
  ['/^[\\w-]+(\\.[\\w-]+)*$/.test(host);', 1],
  ["const pattern = 'a text such as /\\.+$/'; // or a comment: /\\.+$/", 0],
  [`new RegExp(\`^\${host}$\`); /a|b/g;`, 2],
])("linear patterns and text that isn't a pattern are accepted: %j", (text, count) => {
  expect(checkPatterns('file.tsx', text)).toEqual({ count, problems: [] });
});
