import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { type Behaviour, behaviours } from './behaviours.ts';
import { features, tryFeature } from './features.ts';
import { play } from './play.ts';

const documentation =
  'https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/';
const repository = 'https://github.com/aws-powertools/powertools-lambda-typescript';
const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'));
const version = dependencies['@aws-lambda-powertools/idempotency'];
const table = useTable();

test.each(features)('a documented feature works: $title', async (feature) => {
  const { expected, booked } = feature;

  expect(await tryFeature(table, feature)).toEqual({ results: expected, booked });
});

test('ours books what is due or refuses the settings, and the page tells what each layer does; `npm run compare -- --update` in the package’s folder writes it', async () => {
  // Powertools warns of what some behaviours do on purpose.
  using _ = vi.spyOn(console, 'warn').mockReturnValue();

  await expect(await renderPage()).toMatchFileSnapshot('../../comparison.md');
});

async function renderPage(): Promise<string> {
  const verdicts = Object.groupBy(behaviours, ({ verdict }) => verdict);
  const counts = Object.entries(verdicts).map(([verdict, { length }]) => `${length} ${verdict}`);
  const rows: string[] = [];
  for (const behaviour of behaviours) rows.push(await renderRow(behaviour));
  const links = features.map(({ title, section }) => `- [${title}](${documentation}#${section})`);
  return `# Against Powertools' own layer

How two persistence layers behave behind the same \`makeIdempotent\`, in cases that Powertools documents for its
[idempotency utility](${documentation}), and in
some that it doesn't. **Powertools** is the \`DynamoDBPersistenceLayer\` of version ${version}, and **ours** is this package's
\`TransactionalPersistenceLayer\`. In ${behaviours.length} cases, ours is: ${counts.join(', ')}.

The work adds an order's quantity to a customer's total. A cell has a line for each delivery: the answer or the error,
its cause in parentheses, and then the quantity booked so far. *Due* is the quantity that should be booked in the end.
The last line counts the calls of the wrapped function. An \`UnsafeConfigurationError\` stops the function at init.

| what happens | Powertools | ours | ours is |
|---|---|---|---|
${rows.join('\n')}

## Features

These features of Powertools' documentation work with this package's layer too:

${links.join('\n')}

So do a required key, a composite primary key, the local cache, a response hook, another hash function, Middy's
\`makeHandlerIdempotent\` and several functions with one layer, which the package's other tests use. A call without a Lambda
context is refused with an \`UnsafeConfigurationError\`, unless the layer has a \`commitTimeoutMs\`.

Use the asynchronous processors, as above: \`BatchProcessorSync\` and \`SqsFifoPartialProcessor\` don't wait for what the function
returns, with either layer. The cache layer for Redis and Valkey stores its records elsewhere, so they can't be in a transaction.
`;
}

async function renderRow({ title, section, issue, due, deliveries, verdict, why }: Behaviour) {
  const documented = section ? ` [Documented](${documentation}#${section}).` : '';
  const reported = issue ? ` [Reported](${repository}/issues/${issue}).` : '';
  const powertools = await play(table, 'powertools', deliveries);
  const ours = await play(table, 'ours', deliveries);
  const isRefused = ours.cell.includes('UnsafeConfigurationError');
  if (verdict !== 'worse') expect(ours.booked, title).toBe(isRefused ? 0 : due);
  return `| ${title}${documented}${reported} Due: ${due}. | ${powertools.cell} | ${ours.cell} | **${verdict}**: ${why} |`;
}
