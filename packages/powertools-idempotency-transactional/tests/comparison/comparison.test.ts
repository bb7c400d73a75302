import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { packageDir } from '../helpers/examples.ts';
import { type Delivery, play, timeoutSeconds } from './play.ts';

const afterTimeout = { afterSeconds: timeoutSeconds + 1 };
const twice = (delivery: Delivery) => [delivery, delivery];
const unvalidated = { payloadValidationJmesPath: undefined };
const keyless: Delivery = { isKeyless: true, settings: { throwOnNoIdempotencyKey: false } };
const call: Delivery = { work: 'call-service' };

/** The deliveries of the page's rows, by how a row begins. */
const behaviours: Record<string, Delivery[]> = {
  'An order arrives twice.': twice({}),
  'An order arrives again after its record has expired.': twice({
    settings: { expiresAfterSeconds: 60 },
    afterSeconds: 120,
  }),
  'An order arrives again while the function runs.': [{ isOvertaken: true }],
  'The function ends before the work, as at a timeout.': [
    { crash: 'before-work' },
    {},
    afterTimeout,
  ],
  'An order without a key arrives twice, and the key is optional.': twice(keyless),
  'The function throws before its work; the order comes back.': [{ fails: 'before-work' }, {}],
  'The function throws after its work; the order comes back.': [{ fails: 'after-work' }, {}],
  'The author’s code refuses an order.': [{ quantity: 0 }],
  'An order arrives again with another quantity, with `payloadValidationJmesPath`.': [
    { quantity: 1 },
    { quantity: 5 },
  ],
  'An order arrives again with another quantity, without `payloadValidationJmesPath`.': [
    { quantity: 1, settings: unvalidated },
    { quantity: 5, settings: unvalidated },
  ],
  'An order arrives twice, with `POWERTOOLS_IDEMPOTENCY_DISABLED`.': twice({ isDisabled: true }),
  'The function dies between the work and the record; the order comes back.': [
    { crash: 'after-work' },
    afterTimeout,
  ],
  'The function changes its input after the work; the order comes back.': [
    { changesInput: true },
    {},
    afterTimeout,
  ],
  'With the Middy middleware, an order arrives again with another quantity, and then as it was.': [
    1, 5, 1,
  ].map((quantity) => ({ quantity, isMiddleware: true })),
  'An order comes back after two hours, as from a dead-letter queue; no expiry is set.': [
    {},
    { afterSeconds: 7_200 },
  ],
  'An order arrives twice, and the answer is the new total.': twice({ work: 'answer-total' }),
  'The work is a call to another service. The function dies before the call;': [
    { ...call, crash: 'before-work' },
    { ...call, ...afterTimeout },
  ],
  'The work is a call to another service. The function dies after the call;': [
    { ...call, crash: 'after-work' },
    { ...call, ...afterTimeout },
  ],
};

const page = readFileSync(path.join(packageDir, 'comparison.md'), 'utf8');
const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'));
const table = useTable();

/** Plays a row's deliveries. Returns the row with what came of them in its second and third cell. */
async function playRow(row: string): Promise<string> {
  const [what, , , why] = row.split(' | ');
  const found = Object.entries(behaviours).filter(([title]) => row.startsWith(`| ${title}`));
  const [[, deliveries] = ['', []]] = found;
  expect(found, `behaviours of ${what}`).toHaveLength(1);
  const powertools = await play(table, 'powertools', deliveries);
  const ours = await play(table, 'ours', deliveries);
  const isRefused = ours.cell.includes('UnsafeConfigurationError');
  const due = isRefused ? 0 : Number(/Due: (\d+)\.$/.exec(what ?? '')?.[1]);
  if (!why?.startsWith('**worse**')) expect(ours.booked, what).toBe(due);
  return [what, powertools.cell, ours.cell, why].join(' | ');
}

test('ours books what is due or refuses the settings, and the page tells what each layer does; `npm run compare -- --update` in the package’s folder writes it', async () => {
  // Powertools warns of what some behaviours do on purpose.
  using _ = vi.spyOn(console, 'warn').mockReturnValue();
  const rows = page.match(/^\| .* Due: .*$/gm) ?? [];
  expect(rows).toHaveLength(Object.keys(behaviours).length);

  const verdicts = Map.groupBy(rows, (row) => /\| \*\*(\w+)\*\*:/.exec(row)?.[1]);
  const counts = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
  let played = page
    .replace(/of version \S+,/, `of version ${dependencies['@aws-lambda-powertools/idempotency']},`)
    .replace(
      /In \d+ cases, ours is: .*\./,
      `In ${rows.length} cases, ours is: ${counts.join(', ')}.`,
    );
  for (const row of rows) {
    const replaced = await playRow(row);
    played = played.replace(row, () => replaced);
  }

  await expect(played).toMatchFileSnapshot('../../comparison.md');
});
