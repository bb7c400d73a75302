import fc from 'fast-check';
export const codes = ['spring', 'Spring'];
export const imported = { url: 'https://example.com/', forwardQuery: true };
/** Values of every field, so that a new one can't be missing. */
const values = {
    url: fc.constantFrom('https://example.com/', 'https://new.example.com/'),
    expiresAt: fc.constantFrom('2035-01-01T00:00:00.000Z', null),
    title: fc.constantFrom('Sale', null),
    tags: fc.constantFrom(['a', 'b'], null),
    note: fc.constantFrom('from the poster', null),
    forwardQuery: fc.constantFrom(true, null),
};
const { url, expiresAt } = values;
const newTexts = fc.record(values, { requiredKeys: ['url'] });
const changes = { ...values, disabled: fc.boolean() };
// An edit is refused for a single field, which others must not hide.
const asked = fc
    .tuple(fc.record(changes), fc.subarray(Object.keys(changes), { minLength: 1, maxLength: 3 }))
    .map(([all, names]) => {
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
});
const expected = fc.option(fc.record({ url, expiresAt }, { requiredKeys: [] }), {
    nil: undefined,
    freq: 1,
});
// Most steps should concern an existing link of the caller.
const user = fc.constantFrom('anna', 'anna', 'anna', 'bert');
const code = fc.constantFrom('spring', 'spring', 'spring', 'Spring');
const caller = { user, code, hasKey: fc.boolean() };
const create = fc.record({ step: fc.constant('create'), ...caller, texts: newTexts });
const change = fc.record({ step: fc.constant('change'), ...caller, asked, expected });
const callers = [
    { arbitrary: create, weight: 2 },
    { arbitrary: change, weight: 6 },
    fc.record({ step: fc.constant('import'), ...caller }),
    fc.record({ step: fc.constant('delete'), ...caller }),
    fc.record({ step: fc.constant('restore'), ...caller }),
];
const operate = fc.record({ step: fc.constant('operate'), code, disabled: fc.boolean() });
const purgeStep = fc.record({ step: fc.constant('purge'), days: fc.constantFrom(0, 91) });
const click = fc.record({ step: fc.constant('click'), code, isOld: fc.boolean() });
const anyStep = fc.oneof(...callers, operate, purgeStep, click);
const whileDown = fc.oneof(...callers, purgeStep, click);
const anna = { user: 'anna', code: 'spring', hasKey: false };
const created = { step: 'create', ...anna, texts: { url: 'https://example.com/' } };
const takenDown = { step: 'operate', code: 'spring', disabled: true };
const lifted = { step: 'operate', code: 'spring', disabled: false };
const purged = [
    { step: 'delete', ...anna },
    { step: 'purge', days: 91 },
];
const some = (step) => fc.array(step, { maxLength: 7 });
/** Operations of anybody, among them a take-down that lasts for a while, perhaps until a purge. */
export const steps = fc
    .tuple(some(anyStep), some(whileDown), fc.constantFrom(purged, []), some(whileDown), some(anyStep))
    .map(([before, down, end, later, after]) => [
    ...[created, ...before, takenDown],
    ...[...down, ...end, ...later, lifted],
    ...after,
]);
