// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import type { PlantedBug } from './function-code.ts';

const handler = 'functions/aggregate-clicks.ts';
const publish = 'lib/clicks/publish-click.ts';
const layer =
  'packages/powertools-idempotency-transactional/src/transactional-persistence-layer.ts';

/** Mistakes that show only because each instance has a copy of the module's state of its own. */
export const moduleBugs: PlantedBug[] = [
  {
    name: 'duplicates are remembered in memory, not by markers',
    edits: [
      {
        file: 'packages/powertools-idempotency-transactional/src/transaction.ts',
        find: '{ ConditionExpression: isFree(schema) }',
        replace: '{}',
      },
      {
        file: handler,
        find: 'return await countOnce(parseClick(record.body), context);',
        replace: `const click = parseClick(record.body);
      if (counted.has(click.id)) return 'duplicate';
      const outcome = await countOnce(click, context);
      counted.add(click.id);
      return outcome;`,
      },
      {
        file: handler,
        find: 'export function createHandler(',
        replace: 'const counted = new Set<string>();\n\nexport function createHandler(',
      },
    ],
  },
  {
    name: 'each resolver numbers its click ids',
    edits: [
      {
        file: publish,
        find: 'describeClick(clickId, code,',
        replace: 'describeClick(`click-of-visit-${++minted}`, code,',
      },
      {
        file: publish,
        find: 'export async function publishClick(',
        replace: 'let minted = 0;\n\nexport async function publishClick(',
      },
    ],
  },
  {
    name: 'each aggregator numbers its request tokens',
    edits: [
      {
        file: layer,
        find: 'newToken: randomUUID',
        replace: 'newToken: () => `token-${++tokens}`',
      },
      {
        file: layer,
        find: 'export class TransactionalPersistenceLayer<',
        replace: 'let tokens = 0;\n\nexport class TransactionalPersistenceLayer<',
      },
    ],
  },
];
