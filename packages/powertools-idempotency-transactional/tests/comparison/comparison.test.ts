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

test.each(behaviours)(
  'ours books what is due, refuses the settings or warns: $title',
  async (behaviour) => {
    const { cell, booked } = await play(table, 'ours', behaviour.deliveries);

    const isRefused = cell.includes('UnsafeConfigurationError');
    if (behaviour.verdict !== 'worse') expect(booked).toBe(isRefused ? 0 : behaviour.due);
  },
);

test.each(features)(
  'a documented feature works, or is refused with a clear error: $title',
  async (feature) => {
    using _ = vi.spyOn(console, 'warn').mockReturnValue();
    const { expected, booked } = feature;

    expect(await tryFeature(table, feature)).toEqual({ results: expected, booked });
  },
);

test('the page tells what each layer does; `npm run compare -- --update` in the package’s folder writes it', async () => {
  // Powertools warns of what some behaviours do on purpose.
  using _ = vi.spyOn(console, 'warn').mockReturnValue();

  await expect(await renderPage()).toMatchFileSnapshot('../../comparison.md');
});

async function renderPage(): Promise<string> {
  const verdicts = Object.groupBy(behaviours, ({ verdict }) => verdict);
  const counts = Object.entries(verdicts).map(([verdict, { length }]) => `${length} ${verdict}`);
  const rows: string[] = [];
  for (const behaviour of behaviours) rows.push(await renderRow(behaviour));
  const featureRows: string[] = [];
  for (const feature of features) featureRows.push(await renderFeature(feature));
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

The other features that Powertools' documentation shows, tried with this package's layer:

| feature | with this layer |
|---|---|
${featureRows.join('\n')}

Use the asynchronous processors, as above: \`BatchProcessorSync\` and \`SqsFifoPartialProcessor\` don't wait for what the function
returns, with either layer. The cache layer for Redis and Valkey stores its records elsewhere, so they can't be in a transaction.
`;
}

async function renderFeature(feature: (typeof features)[number]): Promise<string> {
  const { results } = await tryFeature(table, feature);
  const refusal = results.find((result) => result === 'UnsafeConfigurationError');
  const outcome = refusal ? `refused with \`${refusal}\`` : 'works';
  return `| [${feature.title}](${documentation}#${feature.section}) | ${outcome} |`;
}

async function renderRow({ title, section, issue, due, deliveries, verdict, why }: Behaviour) {
  const documented = section ? ` [Documented](${documentation}#${section}).` : '';
  const reported = issue ? ` [Reported](${repository}/issues/${issue}).` : '';
  const powertools = await play(table, 'powertools', deliveries);
  const ours = await play(table, 'ours', deliveries);
  return `| ${title}${documented}${reported} Due: ${due}. | ${powertools.cell} | ${ours.cell} | **${verdict}**: ${why} |`;
}
