import { glob, readFile } from 'node:fs/promises';
import { checkPatterns } from '../helpers/patterns.ts';

// Deployed code, whose regular expressions read strangers' input.
const deployed = '{functions,lib,infra,dashboard}/**/*.{ts,tsx,cjs}';

let count = 0;
const problems: string[] = [];
for await (const file of glob(deployed)) {
  const checked = checkPatterns(file, await readFile(file, 'utf8'));
  count += checked.count;
  problems.push(...checked.problems);
}
for (const problem of problems) console.error(problem);
console.log(`Checked ${count} regular expressions. Found ${problems.length} that are too slow.`);
if (problems.length > 0) process.exitCode = 1;
