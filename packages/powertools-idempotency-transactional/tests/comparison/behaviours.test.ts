import { describe, expect, inject, test, vi } from 'vitest';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { type Behaviour, behaviours } from './behaviours.ts';
import { World } from './comparison-world.ts';

const documentation =
  'https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/';
const table = useTable();

describe.each(['powertools', 'ours'] as const)('with %s', (layer) => {
  test.each(behaviours)('$title', async ({ deliveries, [layer]: expected }) => {
    // Powertools warns of what some behaviours do on purpose.
    using _ = vi.spyOn(console, 'warn').mockReturnValue();

    const seen = await new World(table, layer).play(deliveries);

    // Only dynoxide reports the write units that AWS bills.
    const isExact = inject('engine') === 'dynoxide';
    const [judged, due] = [seen, expected].map((text) =>
      isExact ? text : text.replace(/, units: .*/, ''),
    );
    expect(judged).toBe(due);
  });
});

test('ours books what is due, unless it refuses the settings or its verdict warns', () => {
  const wrong = behaviours.filter(({ due, ours }) => !ours.includes(` (${due}); calls:`));

  const isRefused = ({ ours }: Behaviour) => ours.includes('UnsafeConfigurationError');
  expect(wrong.filter((one) => !isRefused(one))).toMatchObject([
    { verdict: 'worse', ours: 'dies (0); {"booked":1} (0); calls: 1, units: 2 + 2' },
  ]);
});

test('the page has these behaviours; `npm run compare -- --update` in the package’s folder writes it', async () => {
  await expect(renderPage()).toMatchFileSnapshot('../../comparison.md');
});

function renderPage(): string {
  const verdicts = Object.groupBy(behaviours, ({ verdict }) => verdict);
  const counts = Object.entries(verdicts).map(([verdict, { length }]) => `${length} ${verdict}`);
  return `# Against Powertools' own layer

The behaviours that Powertools documents for its [idempotency utility](${documentation}), and some that it doesn't, on two
persistence layers behind the same \`makeIdempotent\`: **Powertools** is its \`DynamoDBPersistenceLayer\`, **ours** is
this package's \`TransactionalPersistenceLayer\`. Of ${behaviours.length} behaviours, ours is: ${counts.join(', ')}.

The work adds an order's quantity to a customer's total. A cell has a line for each delivery: the answer or the error,
its cause in parentheses, and then the quantity that is booked so far. *Due* is what should be booked in the end. The
last line counts calls of the wrapped function and write units. Behind a plus are the units of refused writes, which
no local engine reports: AWS charges 1 for a small item, and 2 for each item of a cancelled transaction.

| what happens | Powertools | ours | ours is |
|---|---|---|---|
${behaviours.map(renderRow).join('\n')}
`;
}

function renderRow({ title, section, due, powertools, ours, verdict, why }: Behaviour): string {
  const link = section ? ` [Documented](${documentation}#${section}).` : '';
  const [left, right] = [powertools, ours].map((seen) =>
    seen.replaceAll(/\{.*?\}|\w+(?:Error|Exception)/g, '`$&`').replaceAll('; ', '<br>'),
  );
  return `| ${title}${link} Due: ${due}. | ${left} | ${right} | **${verdict}**: ${why} |`;
}
