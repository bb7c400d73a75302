import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { releaseCode } from '../../../lib/links/storage/link-deletion.ts';
import { updateAnyLink } from '../../../lib/links/storage/link-update.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { isoDay } from '../../helpers/items.ts';
import { useModule } from '../../helpers/test-table.ts';
import { type Known, LinkModel } from './link-model.ts';
import { type CallerStep, codes, imported, type Step, steps } from './link-steps.ts';

const roles = ['CreateLink', 'DeleteLink', 'GetLinkStats', 'ImportLinks', 'ListLinks'];
const others = ['ManageKeys', 'PurgeLinks', 'ResolveLink', 'UpdateLink'];
const { table, operator, output, send } = useApi([...roles, ...others], {
  CLICKS_VIA: 'bus',
  BUS_NAME: 'unused',
  CLICK_QUEUE_URL: 'https://unused.example/',
  CLICK_QUEUES: '1',
  OWN_DOMAINS: '',
});
const purge = useModule(() => import('../../../functions/purge-links.ts'));
const start = '2026-06-01T00:00:00.000Z';
useClock(start);

const dayMs = 86_400_000;
const keptMs = 90 * dayMs;
/** Longer than a URL or an API key is cached. */
const stepMs = 31_000;
const query = 'x=1';

test('links change as a model says, a take-down outlives all that others do, and owners alone see their links', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      run += 1;
      // Purges take months, and no link may expire after ten years.
      vi.setSystemTime(start);
      const world = new World(`-${run}`);
      for (const step of all) await world.take(step);
      for (const owner of ['anna', 'bert']) await world.checkViews(`${owner}-${run}`);
    }),
    { numRuns: 25 },
  );
});

/** The service and the model, with links and users that no other run has. */
class World {
  readonly #model = new LinkModel();
  readonly #suffix: string;
  readonly #keys = new Map<string, { key: string; expiresAt: string }>();
  /** Where links led when an operator took them down. */
  readonly #seen = new Map<string, string | undefined>();

  constructor(suffix: string) {
    this.#suffix = suffix;
  }

  /** Takes a step with the service and with the model, and compares what visitors get. */
  async take(step: Step): Promise<void> {
    vi.setSystemTime(Date.now() + stepMs);
    output.clear();
    if (step.step === 'purge') await this.#purge(step.days);
    else if (step.step === 'operate') await this.#operate(this.#own(step.code), step.disabled);
    else if (step.step === 'click') await this.#click(this.#own(step.code), step.isOld);
    else await this.#call({ ...step, user: this.#own(step.user), code: this.#own(step.code) });
    vi.setSystemTime(Date.now() + stepMs);
    for (const name of codes) {
      const code = this.#own(name);
      const got = await this.#visit(code);
      expect(got, `after ${JSON.stringify(step)}, a visit to ${name}`).toBe(
        this.#model.visit(code, query),
      );
      if (this.#model.isDown(code)) expect(got, 'nobody is led anywhere').toBeTypeOf('number');
    }
  }

  #own(name: string): string {
    return `${name}${this.#suffix}`;
  }

  async #visit(code: string): Promise<string | number> {
    const { statusCode, headers } = await send('', `HEAD /${code}`, { rawQueryString: query });
    return statusCode === 302 ? `${headers.location}` : Number(statusCode);
  }

  async #purge(days: number): Promise<void> {
    vi.setSystemTime(Date.now() + days * dayMs);
    await purge.handler({}, makeContext(900_000));
    this.#model.purge(Date.now() - keptMs);
  }

  async #operate(code: string, disabled: boolean): Promise<void> {
    if (disabled && !this.#model.isDown(code)) this.#seen.set(code, this.#model.lead(code, query));
    const wasDown = this.#model.isDown(code);
    const isFound = this.#model.operate(code, disabled);
    const updated = await updateAnyLink(operator(), { code, disabled });
    const isDone = updated !== undefined || (!disabled && (await releaseCode(operator(), code)));
    expect(isDone, `an operator finds ${code}`).toBe(isFound);
    vi.setSystemTime(Date.now() + stepMs);
    const led = await this.#visit(code);
    if (!disabled && wasDown && this.#model.links.has(code) && typeof led === 'string') {
      expect(led, 'a link leads where an operator saw it lead').toBe(this.#seen.get(code));
    }
  }

  async #click(code: string, isOld: boolean): Promise<void> {
    const time = isOld ? '2026-01-31T12:00:00.000Z' : new Date().toISOString();
    const day = time.slice(0, 'yyyy-mm-dd'.length);
    const isCounted = await table.countClick(code, time).then(
      () => true,
      () => false,
    );
    expect(isCounted, `a click of ${code}`).toBe(this.#model.click(code, Date.parse(time), day));
  }

  async #call(step: CallerStep): Promise<void> {
    const { user, code } = step;
    const path = `/links/${code}`;
    const model = this.#model;
    if (step.step === 'create') {
      const status = model.create(code, user, step.texts, Date.now());
      const answer = await this.#send(step, 'POST /links', { ...step.texts, code });
      this.#check(step, answer, status, ['created']);
    } else if (step.step === 'import') {
      const outcome = model.import(code, user, imported, Date.now());
      const body = { links: [{ key: code, code, ...imported }] };
      const answer = await this.#send(step, 'POST /links/import', body);
      this.#check(step, answer, 200, outcome === 'created' ? ['imported'] : []);
      expect(answer.body.outcomes, JSON.stringify(step)).toMatchObject([{ outcome }]);
    } else if (step.step === 'change') {
      const changes = { ...step.asked, ...(step.expected && { expected: step.expected }) };
      const status = model.change(code, user, changes);
      const answer = await this.#send(step, `PATCH ${path}`, changes);
      const { disabled, ...texts } = step.asked;
      this.#check(step, answer, status, [
        ...(Object.keys(texts).length > 0 ? ['edited'] : []),
        ...(disabled === undefined ? [] : [disabled ? 'disabled' : 'enabled']),
      ]);
      this.#checkLink(step, answer);
    } else if (step.step === 'delete') {
      const status = model.delete(code, user, Date.now());
      this.#check(step, await this.#send(step, `DELETE ${path}`), status, ['deleted']);
    } else {
      const status = model.restore(code, user);
      const answer = await this.#send(step, `POST ${path}/restore`);
      this.#check(step, answer, status, ['restored']);
      this.#checkLink(step, answer);
    }
  }

  /** Sends a request with the user's token, or with an API key of theirs. */
  async #send({ user, hasKey }: CallerStep, request: string, body?: object) {
    if (!hasKey) return send(user, request, { body });
    const known = this.#keys.get(user);
    const isValid = known && Date.parse(known.expiresAt) > Date.now();
    const key = isValid ? known : await createKey(user);
    this.#keys.set(user, key);
    const headers = { authorization: `Bearer ${key.key}` };
    return send('mallory', request.replace(' ', ' /api'), { body, headers });
  }

  /** A request has this status and, if it succeeds, these lines in the audit log. */
  #check(step: CallerStep, answer: Answer, status: number, actions: string[]): void {
    expect(answer.statusCode, JSON.stringify([step, answer.body])).toBe(status);
    const audits = output.audits().map(({ action, sub }) => ({ action, sub }));
    const made = status < 300 ? actions : [];
    expect(audits, 'who changes a link is logged').toEqual(
      made.map((action) => ({ action, sub: step.user })),
    );
  }

  #checkLink({ code, user }: CallerStep, { statusCode, body }: Answer): void {
    const link = this.#model.findOwn(code, user);
    if (link && statusCode === 200) expect(body).toEqual(describeLink(code, link));
  }

  /** Compares an owner's lists, in pages of one, and statistics with the model. */
  async checkViews(owner: string): Promise<void> {
    const links = [...this.#model.links].filter(([, link]) => link.owner === owner);
    const isDeleted = ({ deletedMs }: Known) => deletedMs !== undefined;
    const live = links.filter(([, link]) => !isDeleted(link));
    const gone = links.filter(([, link]) => isDeleted(link));
    expect(await listAll(owner)).toEqual(
      byCode(live).map(([code, link]) => describeListed(code, link)),
    );
    expect((await listAll(owner, '&deleted=true')).map(({ code }) => code)).toEqual(
      byCode(gone).map(([code]) => code),
    );
    for (const name of codes) {
      const code = this.#own(name);
      const { statusCode, body } = await send(owner, `GET /links/${code}/stats`);
      const link = this.#model.findOwn(code, owner);
      expect(statusCode).toBe(link ? 200 : 404);
      if (!link) continue;
      const days = [...link.days].toSorted(([one], [other]) => one.localeCompare(other));
      expect(body).toMatchObject({
        ...describeLink(code, link),
        days: days.map(([date, count]) => ({ date, count, people: 0, bots: 0 })),
      });
    }
  }
}

type Answer = Awaited<ReturnType<typeof send>>;

async function createKey(user: string): Promise<{ key: string; expiresAt: string }> {
  const body = { name: `${Date.now()}`, scope: 'write', expiresInDays: 366 };
  return (await send(user, 'POST /api/keys', { body })).body;
}

/** All links of a list, newest first, which it returns in the order of their codes. */
async function listAll(owner: string, more = ''): Promise<{ code: string; createdAt: string }[]> {
  const listed: { code: string; createdAt: string }[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body } = await send(owner, `GET /links?limit=1${more}${next}`);
    listed.push(...body.links);
    ({ cursor } = body);
  } while (cursor !== undefined);
  const times = listed.map(({ createdAt }) => createdAt);
  expect(times, 'the list begins with the newest').toEqual(times.toSorted().toReversed());
  return listed.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

function byCode(links: [string, Known][]) {
  return links.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A link as the API describes it. */
function describeLink(code: string, { texts, disabledBy, isChanged, days }: Known) {
  const set = Object.entries(texts).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(set),
    code,
    shortUrl: `https://go.example.com/${code}`,
    createdAt: expect.any(String),
    clicks: [...days.values()].reduce((sum, count) => sum + count, 0),
    people: 0,
    bots: 0,
    disabled: disabledBy !== undefined,
    ...(disabledBy && { disabledBy }),
    ...(isChanged && { updatedAt: expect.any(String) }),
  };
}

function describeListed(code: string, link: Known) {
  const date = isoDay();
  const count = link.days.get(date) ?? 0;
  return { ...describeLink(code, link), today: { date, count, people: 0, bots: 0 } };
}
