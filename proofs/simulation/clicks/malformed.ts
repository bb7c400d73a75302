import fc from 'fast-check';
import { createRandom } from '../../../fixtures/random.ts';
import type { FunctionCode } from '../compiled-code.ts';
import { settle } from '../run-world.ts';
import { World } from '../world.ts';
import { drawFaultFreePlan } from '../world-plan.ts';
import { makeClick } from './click.ts';
import { drawDetail } from './click-details.ts';
import { ClickService } from './click-service.ts';

type ClickWorld = World<ClickService>;

const neighbourShare = 0.1;

export interface MalformedResult {
  seed: number;
  malformed: number;
  neighbours: number;
  problems: string[];
}

const at = '2026-05-26T10:00:00Z';
const valid = { id: 'near-valid', detail: { clickId: 'near-valid', code: 'link-0', at } };

/** SQS only accepts characters that XML allows. */
const isSendable = (body: string) =>
  body !== '' && body.isWellFormed() && !/[\p{Cc}--[\t\n\r]]|[\ufffe\uffff]/v.test(body);

const text = fc.string({ unit: 'binary', maxLength: 40 });
const notJson = fc.oneof(text, fc.string({ unit: 'grapheme' })).filter((body) => !isJson(body));
const truncated = fc
  .integer({ min: 1, max: JSON.stringify(valid).length - 1 })
  .map((length) => JSON.stringify(valid).slice(0, length));
const anyJson = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => typeof Object(value).detail !== 'object')
  .map((value) => JSON.stringify(value));
const huge = fc
  .integer({ min: 1_000, max: 200_000 })
  .map((length) => JSON.stringify({ ...valid, detail: { at, code: 'x'.repeat(length) } }));

const wrong = {
  code: fc.oneof(
    fc.constantFrom(
      '',
      'abc',
      'x'.repeat(33),
      'a/b/c',
      'ab c',
      'абвг',
      '🙂🙂🙂🙂',
      '../../etc',
      'abcd\n',
    ),
    fc.constantFrom(null, 1, true, [], {}, ['link-0'], { code: 'link-0' }),
  ),
  at: fc.oneof(
    fc.constantFrom('', 'now', '2026-05-26', '2026-05-26T10:00:00', '2026-13-01T00:00:00Z'),
    fc.constantFrom('2026-02-30T10:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z', 'NaN'),
    fc.constantFrom(null, 0, 1_779_789_600_000, [], {}, false, ['2026-05-26T10:00:00Z']),
  ),
  clickId: fc.constantFrom('', 'x'.repeat(257), '\ud800', 'a\udfff', 0, 1, true, [], {}, ['id']),
};
const without = (key: 'code' | 'at') =>
  fc.constant(JSON.stringify({ ...valid, detail: { ...valid.detail, [key]: undefined } }));
const nearValid = fc.oneof(
  ...Object.entries(wrong).map(([key, values]) =>
    (values as fc.Arbitrary<unknown>).map((value) =>
      JSON.stringify({ ...valid, detail: { ...valid.detail, [key]: value } }),
    ),
  ),
  without('code'),
  without('at'),
  fc.constantFrom(null, [], 'text', 7, true).map((detail) => JSON.stringify({ id: 'x', detail })),
  fc.constant(JSON.stringify({ detail: { code: 'link-0', at } })),
  fc.constant(JSON.stringify({ detail: { code: 'link-0', at, visitor: 'human', hour: '10' } })),
  fc.constant(JSON.stringify({ id: 'x', detail: { at, clickId: 'x', device: 'desktop' } })),
  fc.constant(JSON.stringify([valid])),
  fc.constant(JSON.stringify(JSON.stringify(valid))),
);
const polluting = fc
  .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')
  .chain((key) =>
    fc.constantFrom(
      `{"${key}":${JSON.stringify(valid)}}`,
      `{"id":"x","${key}":{"detail":${JSON.stringify(valid.detail)},"polluted":true}}`,
      `{"id":"x","detail":{"${key}":${JSON.stringify(valid.detail)}}}`,
    ),
  );

const malformed = fc
  .oneof(
    ...[notJson, truncated, anyJson, nearValid, polluting].map((arbitrary) => ({
      arbitrary,
      weight: 20,
    })),
    { arbitrary: huge, weight: 1 },
  )
  .filter(isSendable);

/**
 * Sends malformed messages among valid ones, in a fault-free world. Each malformed one must end in the
 * dead-letter queue byte for byte, with a logged reason. Every valid one must count at its first attempt.
 */
export async function runMalformed(
  seed: number,
  count: number,
  code: FunctionCode,
): Promise<MalformedResult> {
  const { settings, ...plan } = drawFaultFreePlan(seed);
  const large = { ...plan, settings: { ...settings, batchSize: 100 } };
  const world = new World(large, code, (created) => new ClickService(created));
  world.faults.end();
  await world.service.createLinks(['link-0']);
  const bodies = fc.sample(malformed, { seed, numRuns: count });
  const neighbours = send(world, bodies);
  await settle(world);
  return { seed, malformed: count, neighbours, problems: check(world, bodies) };
}

function send({ plan, queue, service, time }: ClickWorld, bodies: string[]): number {
  const values = createRandom(plan.seed, 'values');
  const atMs = Date.parse('2026-04-01T10:00:00Z');
  let neighbours = 0;
  for (const [index, body] of bodies.entries()) {
    queue.send(body, { sentMs: time.nowMs });
    if (index % Math.round(1 / neighbourShare) > 0) continue;
    const id = `neighbour-${neighbours++}`;
    const click = makeClick(id, 'link-0', drawDetail(values, atMs));
    const sent = { click, sentMs: time.nowMs };
    service.auditor.onSent(sent);
    queue.send(JSON.stringify({ id, detail: { code: click.code, ...click.detail } }), sent);
  }
  return neighbours;
}

function check(world: ClickWorld, bodies: string[]): string[] {
  const { queue, deadLetters } = world;
  const { auditor, explained } = world.service;
  const dead = deadLetters.list();
  auditor.checkDeadLetters(dead);
  auditor.checkEnd(queue.list(), dead);
  const problems = auditor.violations.map(({ kind, text }) => `${kind}: ${text}`);
  const sent = bodies.toSorted();
  const arrived = dead.map(({ body }) => body).toSorted();
  if (sent.length !== arrived.length || sent.some((body, index) => body !== arrived[index])) {
    problems.push(`${sent.length} malformed messages were sent, but ${arrived.length} arrived`);
  }
  for (const { id, body } of dead) {
    if (!explained.has(id)) problems.push(`no reason was logged for ${body.slice(0, 200)}`);
  }
  if (Object.keys(Object.prototype).length > 0 || 'polluted' in {}) {
    problems.push('the prototype of all objects was polluted');
  }
  return problems.slice(0, 20);
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
