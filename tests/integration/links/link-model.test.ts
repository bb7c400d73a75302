import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateAnyLink } from '../../../lib/links/link-update.ts';
import { useApi } from '../../helpers/api.ts';
import { isoDay } from '../../helpers/items.ts';

const roles = ['CreateLink', 'GetLinkStats', 'ListLinks', 'UpdateLink'];
const { table, access, output, send } = useApi(roles);

interface Change {
  url?: string;
  expiresAt?: string | null;
  disabled?: boolean;
  expected?: { url?: string; expiresAt?: string | null };
}

interface Known {
  owner: string;
  url: string;
  expiresAt: string | null;
  disabledBy?: 'owner' | 'operator' | undefined;
  days: Map<string, number>;
}

/** Changes a link as the API must, and returns the status. */
function change(link: Known | undefined, caller: string, asked: Change): number {
  if (link?.owner !== caller) return 404;
  const isDown = link.disabledBy === 'operator';
  if (isDown && (asked.url !== undefined || asked.disabled === false)) return 403;
  const { disabled, expected, ...texts } = asked;
  const has = (some?: object) => isDeepStrictEqual({ ...link, ...some }, link);
  const isDisabled = link.disabledBy !== undefined;
  const isDone = has(texts) && (disabled ?? isDisabled) === isDisabled;
  if (!has(expected)) return isDone ? 200 : 409;
  Object.assign(link, texts);
  if (disabled === false) link.disabledBy = undefined;
  if (disabled) link.disabledBy ??= 'owner';
  return 200;
}

const sumOf = ({ days }: Known) => [...days.values()].reduce((sum, count) => sum + count, 0);

/** A link as the API describes it. */
function describeLink(code: string, { url, expiresAt, disabledBy, ...link }: Known) {
  return {
    ...{ code, url, clicks: sumOf(link as Known), shortUrl: `https://go.example.com/${code}` },
    ...{ createdAt: expect.any(String), people: 0, bots: 0, disabled: disabledBy !== undefined },
    ...(expiresAt && { expiresAt }),
    ...(disabledBy && { disabledBy }),
  };
}

const url = fc.constantFrom('https://example.com/', 'https://new.example.com/');
const expiresAt = fc.constantFrom('2035-01-01T00:00:00.000Z', null);
const optional = { requiredKeys: [] };
const asked: fc.Arbitrary<Change> = fc
  .record({ url, expiresAt, disabled: fc.boolean() }, optional)
  .filter((changes) => Object.keys(changes).length > 0);
const expected = fc.option(fc.record({ url, expiresAt }, optional), { nil: undefined });
// Most steps should concern an existing link of the caller.
const user = fc.constantFrom('anna', 'anna', 'anna', 'bert');
const code = fc.constantFrom('spring', 'spring', 'summer');
const today = isoDay();
const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('create' as const), user, code }),
    fc.record({ step: fc.constant('change' as const), user, code, asked, expected }),
    fc.record({ step: fc.constant('operate' as const), code, disabled: fc.boolean() }),
    fc.record({
      step: fc.constant('click' as const),
      code,
      day: fc.constantFrom(today, '2026-01-31'),
    }),
  ),
  { minLength: 5, maxLength: 25 },
);
type Step = typeof steps extends fc.Arbitrary<(infer Value)[]> ? Value : never;

test('links change as a model says, and their owners alone see them in lists and statistics', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      run += 1;
      const known = new Map<string, Known>();
      for (const step of all) await take(step, `-${run}`, known);
      for (const owner of ['anna', 'bert']) await checkViews(`${owner}-${run}`, known, `-${run}`);
    }),
    { numRuns: 12 },
  );
});

/** Takes a step with the API and with the model. */
async function take(step: Step, suffix: string, known: Map<string, Known>): Promise<void> {
  const code = `${step.code}${suffix}`;
  output.clear();
  const link = known.get(code);
  if (step.step === 'click') {
    if (!link) return;
    await table.countClick(code, step.day);
    link.days.set(step.day, (link.days.get(step.day) ?? 0) + 1);
  } else if (step.step === 'operate') {
    const { disabled } = step;
    const operated = await updateAnyLink(access.table, { code, disabled });
    expect(operated !== undefined, `an operator finds ${code}`).toBe(link !== undefined);
    if (link) link.disabledBy = disabled ? 'operator' : undefined;
  } else if (step.step === 'create') {
    const owner = `${step.user}${suffix}`;
    const body = { url: 'https://example.com/', code };
    const answer = await send(owner, 'POST /links', { body });
    expect(answer, `${owner} creates ${code}`).toMatchObject({ statusCode: link ? 409 : 201 });
    const fresh = { owner, url: 'https://example.com/', expiresAt: null, days: new Map() };
    if (!link) known.set(code, fresh);
    const audit = { action: 'created', sub: owner, code };
    expect(output.audits(), 'who creates a link is logged').toEqual(link ? [] : [audit]);
  } else {
    const asked = { ...step.asked, ...(step.expected && { expected: step.expected }) };
    const caller = `${step.user}${suffix}`;
    const status = change(link, caller, asked);
    const answer = await send(caller, `PATCH /links/${code}`, { body: asked });
    expect(answer, `${caller} changes ${code}`).toMatchObject({ statusCode: status });
    if (status === 200 && link) expect(answer.body).toEqual(describeLink(code, link));
    const { url, expiresAt, disabled } = asked;
    const actions = [
      ...(url !== undefined || expiresAt !== undefined ? ['edited'] : []),
      ...(disabled === undefined ? [] : [disabled ? 'disabled' : 'enabled']),
    ];
    expect(output.audits(), 'who changes a link is logged').toEqual(
      status === 200 ? actions.map((action) => ({ action, sub: caller, code })) : [],
    );
  }
}

/** Compares the owner's list, in pages of two, and all statistics with the model. */
async function checkViews(owner: string, known: Map<string, Known>, suffix: string) {
  const own = [...known].filter(([, link]) => link.owner === owner);
  const listed: { code: string; createdAt: string }[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body } = await send(owner, `GET /links?limit=2${next}`);
    listed.push(...body.links);
    ({ cursor } = body);
  } while (cursor !== undefined);

  const times = listed.map(({ createdAt }) => createdAt);
  expect(times, 'the list begins with the newest').toEqual(times.toSorted().toReversed());
  const byCode = (one: { code: string }, other: { code: string }) =>
    one.code.localeCompare(other.code);
  expect(listed.toSorted(byCode)).toEqual(
    own
      .map(([code, link]) => {
        const count = link.days.get(today) ?? 0;
        return { ...describeLink(code, link), today: { date: today, count, people: 0, bots: 0 } };
      })
      .toSorted(byCode),
  );
  for (const code of ['spring', 'summer'].map((name) => `${name}${suffix}`)) {
    const { statusCode, body } = await send(owner, `GET /links/${code}/stats`);
    const link = known.get(code);
    const message = `There is no link with the code "${code}".`;
    if (link?.owner !== owner) {
      expect([statusCode, body]).toEqual([404, { message }]);
      continue;
    }
    const days = [...link.days].toSorted(([one], [other]) => one.localeCompare(other));
    expect(body).toMatchObject({
      ...describeLink(code, link),
      days: days.map(([date, count]) => ({ date, count, people: 0, bots: 0 })),
    });
  }
}
