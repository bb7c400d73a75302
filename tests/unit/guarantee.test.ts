import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../evidence/simulation/settings.ts';
import { readAggregatorConfig } from '../../lib/config.ts';
import { projectDir } from '../../local/engines/serverless.ts';

interface Figure {
  what: string;
  /** Such as `4 days`, or `7 days (dev), 14 days (other stages)`. */
  stated: string;
  /** The sum of params, such as `+ a − b`. */
  sum: string;
}

const page = 'docs/guarantee.md';
const readText = (file: string) => readFileSync(path.join(projectDir, file), 'utf8');

// CloudFormation's own tags (!Ref and such) are of no interest here.
const { params }: { params: Record<string, Record<string, unknown>> } = parse(
  readText('serverless.yml'),
  { logLevel: 'silent' },
);

// A row of the table of figures: what | how long | from | proof.
const row = /^\| (?<what>.+?) \| (?<stated>\d.+?) \| (?<sum>`\w+`.*?) \| .+ \|$/gm;
const figures = [...readText(page).matchAll(row)].map(({ groups }) => groups as unknown as Figure);

const secondsOf = { hour: 3_600, day: 86_400, Seconds: 1, Days: 86_400 };
const duration = /(?<amount>\d+) (?<unit>hour|day)s?\b(?: \((?<stage>[a-z ]+)\))?/g;

/** The durations in a text, each with the stage in parentheses behind it. */
function findDurations(text: string) {
  return [...text.matchAll(duration)].map(({ 0: words, groups: { amount, unit, stage } = {} }) => ({
    words,
    seconds: Number(amount) * secondsOf[unit as 'hour' | 'day'],
    stage,
  }));
}

/** The duration that a cell states for a stage, in seconds. */
function readStated(stated: string, stage: string): number | undefined {
  const durations = findDurations(stated);
  const own = durations.find((found) => found.stage === stage);
  const ofOthers = durations.find(({ stage = 'other stages' }) => stage === 'other stages');
  return (own ?? ofOthers)?.seconds;
}

/** Adds up params of a stage. */
function addUp(sum: string, stage: string): number {
  const terms = [...sum.matchAll(/(?<sign>[+−] )?`(?<param>\w+?(?<unit>Seconds|Days))`/g)];
  const values = terms.map(({ groups: { sign, param = '', unit } = {} }) => {
    const value = Number(params[stage]?.[param] ?? params.default?.[param]);
    return (sign === '− ' ? -1 : 1) * value * secondsOf[unit as 'Seconds' | 'Days'];
  });
  return values.reduce((total, value) => total + value, 0);
}

test('every setting of a retention is on the page', () => {
  const settings = Object.keys(params.default ?? {}).filter((name) =>
    /(Retry|Retention|AgeAlarm)(Seconds|Days)$/.test(name),
  );

  const named = figures.flatMap(({ sum }) => [...sum.matchAll(/\w+/g)].map(([name]) => name));

  expect(settings.length).toBeGreaterThan(0);
  expect(settings.filter((name) => !named.includes(name))).toEqual([]);
});

test.each(figures)('serverless.yml gives: $what: $stated', ({ what, stated, sum }) => {
  const wrong = Object.keys(params).filter(
    (stage) => readStated(stated, stage) !== addUp(sum, stage),
  );

  const given = wrong.map((stage) => `${addUp(sum, stage) / secondsOf.day} days for ${stage}`);
  const message = `${page} says "${what}: ${stated}"; serverless.yml gives ${given.join(', ')}: ${sum}`;
  expect(given, message).toEqual([]);
});

test('a marker lives as long as the page says', () => {
  const marker = figures.find(({ what }) => what.startsWith('a marker lives'));

  const lives = readSettings().map(
    ({ environment }) =>
      readAggregatorConfig({ TABLE_NAME: 'ClickTable', ...environment }).markerTtlSeconds,
  );

  expect(lives.length).toBeGreaterThan(0);
  for (const seconds of lives) expect(seconds).toBe(readStated(marker?.stated ?? '', 'prod'));
});

// DynamoDB's, for point-in-time recovery and for the backup of a deleted table.
const fixed = ['35 days'];

test.each([page, 'docs/runbook.md', 'docs/decisions/when-a-marker-expires.md'])(
  '%s names no other hours and days than these figures',
  (file) => {
    const known = new Set(
      figures.flatMap(({ stated }) => findDurations(stated)).map(({ seconds }) => seconds),
    );

    const others = findDurations(readText(file)).filter(({ seconds }) => !known.has(seconds));

    expect(others.map(({ words }) => words).filter((words) => !fixed.includes(words))).toEqual([]);
  },
);
