import { bug, type PlantedBug } from './function-code.ts';

const handler = 'functions/push-counts.ts';
const changes = 'lib/live/changes.ts';
const push = 'lib/live/push.ts';
const watches = 'lib/live/watches.ts';

/** Mistakes in what live pages are told. */
export const pushBugs: PlantedBug[] = [
  bug(
    'a page is told the difference instead of the sum',
    changes,
    'clicks: Math.max(...totals)',
    'clicks: Math.max(...totals) - Math.min(...totals) + 1',
  ),
  {
    name: 'a page is told the oldest numbers of a batch',
    edits: [
      {
        file: changes,
        find: 'clicks: Math.max(...totals)',
        replace: 'clicks: Math.min(...totals)',
      },
      {
        file: changes,
        find: 'if (count >= (days.get(date)?.count ?? 0))',
        replace: 'if (!days.has(date))',
      },
    ],
  },
  bug(
    'a batch with an unreadable record is not pushed',
    handler,
    "status === 'success' ? (change as Change) : [],",
    "results.every(([each]) => each === 'success') && status === 'success' ? (change as Change) : [],",
  ),
  bug(
    'unreadable records are not reported',
    handler,
    'return processor.response();',
    'return { batchItemFailures: [] };',
  ),
  bug('pages that have expired are told numbers', push, 'ttl <= now', 'false'),
  bug(
    'a page is told the numbers of links that it does not watch',
    push,
    'codes.flatMap((code) => counts.get(code) ?? [])',
    '[...counts.values(), ...codes.slice(codes.length)]',
  ),
  {
    name: 'an instance remembers who watches a link',
    edits: [
      {
        file: push,
        find: 'const found = await findWatchers(table, code, watchersPerLink, resumeAfter.get(code));',
        replace: `const found = remembered.get(code) ?? (await findWatchers(table, code, watchersPerLink));
    remembered.set(code, found);`,
      },
      {
        file: push,
        find: 'interface Watched {',
        replace:
          'const remembered = new Map<string, Awaited<ReturnType<typeof findWatchers>>>();\n\ninterface Watched {',
      },
    ],
  },
  bug(
    'only the first watchers of a link are found',
    watches,
    'if (watchers.length >= limit) break;',
    'break;',
  ),
];
