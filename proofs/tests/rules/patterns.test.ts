import { glob, readFile } from 'node:fs/promises';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { missedBots, narrowedPatterns } from '../../../lib/clicks/bot-patterns.ts';

/** A regular expression in a source file. */
interface Pattern {
  /** `file:line`. */
  place: string;
  /** Undefined if it is known only at run time. */
  source: string | undefined;
  flags: string;
}

/** The fields of a syntax tree that are read here. */
interface SyntaxNode {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
  arguments?: { quasis?: { value: { cooked: string } }[] }[];
}

// recheck would look for its native binaries, which package.json leaves out.
process.env.RECHECK_BACKEND = 'pure';
// Limits in steps, because limits in time would give other results on a busy machine. The last makes
// checks that never end fail. Further iterations multiply the time.
const limits = {
  incubationTimeout: null,
  attackTimeout: null,
  attackLimit: 10_000_000,
  maxIteration: 2,
  timeout: 120_000,
};

async function findProblem({ place, source, flags }: Pattern): Promise<string[]> {
  if (source === undefined) {
    const found = 'got one that only the running program knows';
    return [
      `${place} expected a pattern that can be checked, in a literal, or in a template without flags; ${found}`,
    ];
  }
  const checked = await check(source, flags, limits);
  if (checked.status === 'safe') return [];
  const found =
    checked.status === 'vulnerable'
      ? `${checked.complexity.summary} on ${checked.attack.pattern}`
      : `${checked.error.kind} while checking it`;
  return [`${place} expected /${source}/${flags} to take linear time; got ${found}`];
}

function findPatterns(file: string, text: string): Pattern[] {
  const tree = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  return [...walk(tree)].flatMap(({ start, regex, callee, arguments: given = [] }) => {
    const place = `${file}:${text.slice(0, start).split('\n').length}`;
    if (regex) return [{ place, source: regex.pattern, flags: regex.flags }];
    if (callee?.name !== 'RegExp') return [];
    // Treats a template's values as plain words: ours are words and lengths. None of ours has flags.
    const [pattern, flags] = given;
    const texts = flags ? undefined : pattern?.quasis?.map(({ value }) => value.cooked);
    return [{ place, source: texts?.join('word'), flags: '' }];
  });
}

function* walk(tree: unknown): Generator<SyntaxNode> {
  if (tree === null || typeof tree !== 'object') return;
  if ('type' in tree && 'start' in tree) yield tree as SyntaxNode;
  for (const child of Object.values(tree)) yield* walk(child);
}

// Strangers' input is read by deployed code.
const deployed = '{functions,lib,infra,dashboard}/**/*.{ts,tsx,cjs}';

test("deployed code's regular expressions take linear time", async () => {
  const files = await Array.fromAsync(glob(deployed));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  // isbot makes one expression of these.
  const ofBots = [...missedBots, ...Object.values(narrowedPatterns)].map((source) => ({
    place: `lib/clicks/bot-patterns.ts ${source}`,
    source,
    flags: 'i',
  }));
  const patterns = files
    .flatMap((file, index) => findPatterns(file, texts[index] ?? ''))
    .concat(ofBots);

  const problems: string[] = [];
  // One after another, because a check's time would include its wait for the others.
  for (const pattern of patterns) problems.push(...(await findProblem(pattern)));

  expect(problems).toEqual([]);
  // It would find none if it could no longer read the sources.
  expect(patterns.length).toBeGreaterThan(200);
});
