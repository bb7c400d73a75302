import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { lint } from '../../helpers/lint.ts';

const layer = 'packages/powertools-idempotency-transactional';

const forbidden: [folder: string, target: string][] = [
  ['functions', './resolve-link.ts'],
  ['functions', '../local/service-client.ts'],
  ['functions', `../${layer}/src/pack.ts`],
  ['lib', '../cli/dlq.ts'],
  ['lib/clicks', '../../functions/resolve-link.ts'],
  ['lib/clicks', '../../fixtures/random.ts'],
  ['lib/clicks', '../hand-rolled/read-click.ts'],
  ['lib/clicks', `../../${layer}/src/pack.ts`],
  ['lib/links', '../../dashboard/days.ts'],
  [`${layer}/src`, '../keys.ts'],
  [`${layer}/examples/orders`, '../../src/pack.ts'],
  [`${layer}/examples/orders`, '../parcels/parcels.ts'],
  [`${layer}/tests/unit`, '../../../../lib/keys.ts'],
  [`${layer}/tests/unit`, '../../../../proofs/tools/zipf.ts'],
  ['dashboard', '../lib/config.ts'],
  ['dashboard/state', '../../lib/live/protocol.ts'],
  ['dashboard/views', '../../functions/resolve-link.ts'],
  ['cli', '../local/service-client.ts'],
  ['cli', '../dashboard/days.ts'],
  ['cli/dlq', '../../local/engines/chromium.ts'],
  ['cli/dlq', '../verify/scan.ts'],
  ['local', '../proofs/tools/zipf.ts'],
  ['local', '../dashboard/days.ts'],
  ['fixtures', '../proofs/tools/zipf.ts'],
  ['proofs/compare', './plan.test.ts'],
  ['tests/unit/clicks', './click.test.ts'],
  ['tests/unit/clicks', '../../../proofs/simulation/plan.ts'],
];

const kinds = [
  (target: string) => `import '${target}';`,
  (target: string) => `import type { Some } from '${target}';\nexport type { Some };`,
  (target: string) => `export { some } from '${target}';`,
  (target: string) => `await import('${target}');`,
];
// These import each other.
const cycle = {
  'lib/links/one.ts': "import type { Two } from './two.ts';\nexport type One = Two[];",
  'lib/links/two.ts': "import type { One } from './one.ts';\nexport type Two = One[];",
};

test('the linter refuses forbidden imports of every kind, and cycles, even of types only', async () => {
  const files = Object.fromEntries(
    forbidden.flatMap(([folder, target], index) =>
      kinds.map((toText, kind) => [`${folder}/example-${index}-${kind}.ts`, toText(target)]),
    ),
  );

  const broken = await lint({ ...files, ...cycle });

  const filesWith = (rule: string) =>
    [...broken].filter(([, rules]) => rules.includes(rule)).map(([file]) => file);
  const refused = filesWith('lint/style/noRestrictedImports');
  expect(refused.toSorted()).toEqual(Object.keys(files).toSorted());
  expect(filesWith('lint/suspicious/noImportCycles').toSorted()).toEqual(Object.keys(cycle));
});

test('every folder of code is among the examples of forbidden imports', async () => {
  const { include } = JSON.parse(await readFile('tsconfig.json', 'utf8'));
  // dashboard has its own tsconfig for browser types, and proofs has its own dependencies.
  const folders = [...include, 'dashboard', 'proofs'];

  const covered = new Set(forbidden.map(([folder]) => folder.split('/')[0]));

  expect([...covered, '*.ts'].toSorted()).toEqual(folders.toSorted());
});
