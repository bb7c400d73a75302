import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lint } from '../../helpers/lint.ts';

const proofs = ['bench', 'capacity', 'compare', 'mutants', 'peer', 'simulation', 'soak'].map(
  (name) => `evidence/${name}`,
);
const others = ['cli', 'local', 'local/engines', 'evidence/kit', ...proofs];
const up = (folder: string) => path.relative(folder, '');

const forbidden: [folder: string, target: string][] = [
  ['functions', './resolve-link.ts'],
  ['functions', '../local/service-client.ts'],
  ['functions', '../evidence/kit/random.ts'],
  ['functions', '../lib/idempotency/pack.ts'],
  ['lib', '../cli/dlq.ts'],
  ['lib/clicks', '../../functions/resolve-link.ts'],
  ['lib/clicks', '../../terminal/program.ts'],
  ['lib/clicks', '../hand-rolled/click-event.ts'],
  ['lib/clicks', '../idempotency/pack.ts'],
  ['lib/idempotency', '../keys.ts'],
  ['lib/idempotency', '../clicks/click.ts'],
  ['lib/links', '../../dashboard/days.ts'],
  ['functions', '../dashboard/days.ts'],
  ['cli', '../dashboard/days.ts'],
  ['local', '../dashboard/days.ts'],
  ['evidence/soak', '../../dashboard/days.ts'],
  ['dashboard', '../lib/config.ts'],
  ['dashboard/state', '../../lib/live/protocol.ts'],
  ['dashboard/views', '../../functions/resolve-link.ts'],
  ['dashboard/views', '../../local/service-client.ts'],
  ['terminal', '../lib/config.ts'],
  ['terminal', '../local/engines/ports.ts'],
  ['cli', '../evidence/kit/random.ts'],
  ['cli', '../local/service-client.ts'],
  ['cli/dlq', '../../local/stack/stack.ts'],
  ['cli/dlq', '../verify/scan.ts'],
  ['local', '../cli/stack.ts'],
  ['local', '../evidence/kit/random.ts'],
  ['local/demo', '../stack/stack.ts'],
  ['local/stack', '../demo/narrator.ts'],
  ['local/stack', '../openapi/document.ts'],
  ['local/demo', '../screenshots/link.ts'],
  ['local/openapi', '../packing/tarball.ts'],
  ['local/engines', '../stack/stack.ts'],
  ['local/engines', '../service-client.ts'],
  ['evidence/kit', '../capacity/traffic.ts'],
  ['evidence/kit', '../compare/plan.ts'],
  ['evidence/kit', '../../cli/stack.ts'],
  ['evidence/bench', '../simulation/plan.ts'],
  ['evidence/bench', '../compare/plan.ts'],
  ['evidence/bench', '../capacity/traffic.ts'],
  ['evidence/capacity', '../compare/plan.ts'],
  ['evidence/capacity', '../soak/plan.ts'],
  ['evidence/compare', '../bench/table.ts'],
  ['evidence/compare', '../capacity/traffic.ts'],
  ['evidence/compare', '../mutants/judge.ts'],
  ['evidence/compare/approaches', '../../simulation/plan.ts'],
  ['evidence/mutants', '../simulation/plan.ts'],
  ['evidence/peer', '../compare/plan.ts'],
  ['evidence/peer/behaviours', '../../simulation/plan.ts'],
  ['evidence/compare', '../peer/run.ts'],
  ['evidence/simulation', '../capacity/traffic.ts'],
  ['evidence/simulation', '../compare/plan.ts'],
  ['evidence/simulation/dynamodb', '../../../tests/helpers/table.ts'],
  ['evidence/soak', '../simulation/plan.ts'],
  ['examples/orders', '../../lib/config.ts'],
  ['examples/orders', '../../lib/idempotency/pack.ts'],
  ['examples/orders', '../../evidence/kit/random.ts'],
  ['examples/orders', '../parcels/parcels.ts'],
  ['functions', '../examples/orders/orders.ts'],
  ['lib/clicks', '../../examples/orders/orders.ts'],
  ['cli', '../examples/orders/orders.ts'],
  ['local', '../examples/orders/orders.ts'],
  ['tests/unit/clicks', './click.test.ts'],
  ['tests/integration/clicks', '../../infrastructure/stage-template.ts'],
  ...others.map((folder): [string, string] => [folder, `${up(folder)}/lib/idempotency/pack.ts`]),
  ...proofs.map((folder): [string, string] => [folder, `${up(folder)}/cli/stack.ts`]),
];

const permitted: typeof forbidden = [
  ['functions', '../lib/idempotency/index.ts'],
  ['lib/clicks', '../idempotency/index.ts'],
  ['lib/clicks', '@aws-lambda-powertools/idempotency/dynamodb'],
  ['lib/idempotency', './pack.ts'],
  ['cli/dlq', '../../local/engines/aws.ts'],
  ['dashboard/state', '../../lib/links/answer-schemas.ts'],
  ['dashboard/state', '../../lib/live/messages.ts'],
  ['local/stack', '../engines/ports.ts'],
  ['local/openapi', '../../lib/links/link-request.ts'],
  ['local/engines', '../../terminal/progress.ts'],
  ['evidence/bench', '../compare/approaches/naive.ts'],
  ['evidence/capacity', '../simulation/plan.ts'],
  ['evidence/simulation', './dynamodb/capacity.ts'],
  ['evidence/soak', '../../local/stack/stack.ts'],
  ['evidence/soak', '../kit/random.ts'],
  ['examples/orders', '../../lib/idempotency/index.ts'],
  ['examples/orders', './orders.ts'],
  ['examples/orders', '@aws-lambda-powertools/idempotency/middleware'],
  ['tests/unit/clicks', '../../../evidence/simulation/plan.ts'],
];

const kinds = {
  import: (target: string) => `import '${target}';`,
  'type-only import': (target: string) =>
    `import type { Some } from '${target}';\nexport type { Some };`,
  're-export': (target: string) => `export { some } from '${target}';`,
  'dynamic import': (target: string) => `await import('${target}');`,
};

const write = (imports: typeof forbidden, toText = kinds.import) =>
  Object.fromEntries(
    imports.map(([folder, target], index) => [`${folder}/example-${index}.ts`, toText(target)]),
  );

test.each(Object.entries(kinds))('the linter refuses a forbidden %s', async (_kind, toText) => {
  const files = write(forbidden, toText);

  const broken = await lint(files);

  const refused = [...broken]
    .filter(([, rules]) => rules.includes('lint/style/noRestrictedImports'))
    .map(([file]) => file);
  expect(refused.toSorted()).toEqual(Object.keys(files).toSorted());
});

test('the linter permits what follows the arrows', async () => {
  const broken = await lint(write(permitted));

  expect([...broken]).toEqual([]);
});

test('the linter refuses files that import each other, even if they import types only', async () => {
  const broken = await lint({
    'lib/links/one.ts': "import type { Two } from './two.ts';\nexport type One = Two[];",
    'lib/links/two.ts': "import type { One } from './one.ts';\nexport type Two = One[];",
  });

  expect([...broken].toSorted()).toEqual([
    ['lib/links/one.ts', ['lint/suspicious/noImportCycles']],
    ['lib/links/two.ts', ['lint/suspicious/noImportCycles']],
  ]);
});

test('every folder of code is among the examples of forbidden imports', async () => {
  const { include } = JSON.parse(await readFile('tsconfig.json', 'utf8'));
  // It has a tsconfig of its own, for the types of a browser.
  const folders = [...include, 'dashboard'];

  const covered = new Set(forbidden.map(([folder]) => folder.split('/')[0]));

  expect([...covered, '*.ts'].toSorted()).toEqual(folders.toSorted());
});
