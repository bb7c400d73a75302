import fc from 'fast-check';
import type { TextField } from '../../../lib/links/rules/link-fields.ts';
import type { Change, Texts } from './link-model.ts';

export const codes = ['spring', 'Spring'];
export const imported: Texts = { url: 'https://example.com/', forwardQuery: true };

/** Values of every field, so that a new one can't be missing. */
const values = {
  url: fc.constantFrom('https://example.com/', 'https://new.example.com/'),
  expiresAt: fc.constantFrom('2035-01-01T00:00:00.000Z', null),
  title: fc.constantFrom('Sale', null),
  tags: fc.constantFrom(['a', 'b'], null),
  note: fc.constantFrom('from the poster', null),
  forwardQuery: fc.constantFrom(true as const, null),
} satisfies Record<TextField, fc.Arbitrary<unknown>>;
const { url, expiresAt } = values;
const newTexts: fc.Arbitrary<Texts> = fc.record(values, { requiredKeys: ['url'] });
const changes = { ...values, disabled: fc.boolean() };
// An edit is rejected for a single field, which others must not hide.
const asked = fc
  .tuple(fc.record(changes), fc.subarray(Object.keys(changes), { minLength: 1, maxLength: 3 }))
  .map(([all, names]): Change => {
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  });
const expected = fc.option(fc.record({ url, expiresAt }, { requiredKeys: [] }), {
  nil: undefined,
  freq: 1,
});
// Most steps should concern an existing link of the caller.
const user = fc.constantFrom<string[]>('anna', 'anna', 'anna', 'bert');
const code = fc.constantFrom<string[]>('spring', 'spring', 'spring', 'Spring');
const caller = { user, code, hasKey: fc.boolean() };

const create = fc.record({ step: fc.constant('create' as const), ...caller, texts: newTexts });
const change = fc.record({ step: fc.constant('change' as const), ...caller, asked, expected });
const callers = [
  { arbitrary: create, weight: 2 },
  { arbitrary: change, weight: 6 },
  fc.record({ step: fc.constant('import' as const), ...caller }),
  fc.record({ step: fc.constant('delete' as const), ...caller }),
  fc.record({ step: fc.constant('restore' as const), ...caller }),
];
const operate = fc.record({ step: fc.constant('operate' as const), code, disabled: fc.boolean() });
const purgeStep = fc.record({ step: fc.constant('purge' as const), days: fc.constantFrom(0, 91) });
const click = fc.record({ step: fc.constant('click' as const), code, isOld: fc.boolean() });
const anyStep = fc.oneof(...callers, operate, purgeStep, click);
const whileDown = fc.oneof(...callers, purgeStep, click);
export type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;
export type CallerStep = Extract<Step, { user: string }>;

const anna = { user: 'anna', code: 'spring', hasKey: false };
const created: Step = { step: 'create', ...anna, texts: { url: 'https://example.com/' } };
const takenDown: Step = { step: 'operate', code: 'spring', disabled: true };
const lifted: Step = { step: 'operate', code: 'spring', disabled: false };
const purged: Step[] = [
  { step: 'delete', ...anna },
  { step: 'purge', days: 91 },
];
const some = (step: fc.Arbitrary<Step>) => fc.array(step, { maxLength: 7 });
/** Operations of anybody, among them a take-down that lasts for a while, perhaps until a purge. */
export const steps = fc
  .tuple(
    some(anyStep),
    some(whileDown),
    fc.constantFrom(purged, []),
    some(whileDown),
    some(anyStep),
  )
  .map(([before, down, end, later, after]) => [
    ...[created, ...before, takenDown],
    ...[...down, ...end, ...later, lifted],
    ...after,
  ]);
