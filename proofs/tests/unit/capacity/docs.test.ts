import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CheckRecord } from '../../../capacity/check/report.ts';
import { partNames } from '../../../capacity/costs.ts';
import { renderDollars } from '../../../capacity/docs/dollars.ts';
import { drawDollars } from '../../../capacity/docs/dollars-picture.ts';
import { type Box, placeLabels } from '../../../capacity/docs/labels.ts';
import { drawLag } from '../../../capacity/docs/lag-picture.ts';
import {
  renderCheckParts,
  renderCodeParts,
  renderRunParts,
  updatePage,
} from '../../../capacity/docs/page.ts';
import { readRuns } from '../../../capacity/docs/read-runs.ts';
import { renderCosts, renderFront, renderHeld, renderOthers } from '../../../capacity/docs/runs.ts';
import { renderSweep } from '../../../capacity/docs/sweep-table.ts';
import type { Row } from '../../../capacity/report.ts';
import { readStage } from '../../../capacity/stage.ts';
import type { Sweep, Trial } from '../../../capacity/sweep.ts';

/** The first part costs so much, and each of the eleven others a tenth of a dollar. */
const priceParts = (dollars: number) =>
  partNames.map((name, index) => ({ name, dollarsPerMillion: index === 0 ? dollars : 0.1 }));

const busy: Row = {
  ...{ stage: 'prod', traffic: 'busy', approach: 'click-tally', seconds: 60 },
  ...{ offeredPerSecond: 1_002.4, countedPerSecond: 1_001, holds: true },
  lagMs: { p50: 1_640, p99: 3_460, worst: 12_300 },
  depth: { max: 4_321, end: 0 },
  ...{
    conflictShare: 0.163,
    throttledShare: 0,
    inFlightShare: 0,
    duplicateShare: 0,
    deadLetters: 0,
  },
  unitsPerClick: { committed: 3.5, cancelled: 1.1 },
  ...{ clicksPerBatch: 279.4, invocationMs: 150 },
  concurrency: { mean: 1.94, max: 7 },
  front: [
    { part: 'the API', share: 0.5 },
    { part: 'PutEvents', share: 0.1 },
  ],
  saturatesFirst: 'the API (50 %)',
  usage: {
    ...{ clicks: 60_000, seconds: 60, invocations: 200, invocationSeconds: 30, memoryMb: 1_024 },
    ...{ queueRequests: 12_000, writeUnits: 276_000, readUnits: 0, markerBytes: 9, logBytes: 9 },
  },
  dollars: { throughApi: priceParts(2), onBus: priceParts(0.5) },
};
const viral: Row = {
  ...{ ...busy, traffic: 'viral', offeredPerSecond: 20_000, countedPerSecond: 3_400, holds: false },
  lagMs: { p50: 9_000, p99: 17_250, worst: 17_400 },
  front: [
    { part: 'the API', share: 10 },
    { part: 'PutEvents', share: 2 },
  ],
  saturatesFirst: 'conflicts',
};
const spike: Row = { ...busy, traffic: 'spike', drainSeconds: 95 };
const tuning = { batchSize: 10, batchWindowSeconds: 0, maximumConcurrency: 1_000 };
const handRolled: Row = {
  ...{ ...busy, approach: 'hand-rolled', tuning },
  dollars: { throughApi: priceParts(7), onBus: priceParts(5) },
};
const stock: Row = { ...busy, approach: 'stock', tuning };
/** Nobody counted anything. */
const stuck: Row = {
  ...{ ...viral, approach: 'stock', tuning, countedPerSecond: 0, dollars: undefined },
  ...{ lagMs: { p50: Number.NaN, p99: Number.NaN, worst: 0 }, clicksPerBatch: Number.NaN },
};
const rows = [busy, viral, spike, handRolled, stock, stuck];
const runs = readRuns(JSON.stringify(rows));

const trial: Trial = {
  tuning: {
    ...{ batchSize: 10_000, batchWindowSeconds: 30, maximumConcurrency: 2, clickQueues: 1 },
    memoryMb: 512,
  },
  ...{ holds: true, lagP99Ms: 33_400, unitsPerClick: 1.5, dollarsPerMillion: 4.2 },
};
const hotTrial: Trial = {
  ...{ ...trial, tuning: { ...trial.tuning, clickQueues: 4 }, dollarsPerMillion: 4.5 },
  ...{ holdsHot: true, hotLagP99Ms: 4_270 },
};
const sweep: Sweep = {
  ...{ traffic: 'busy', hotTraffic: 'viral', stage: 'prod' },
  ...{ best: { 60: trial }, bestHot: hotTrial, trials: [trial, hotTrial] },
};

/** The rows of a table, without its two lines of titles. */
const bodyOf = (table: string) => table.split('\n').slice(2);

describe('runs', () => {
  test('of --quick are refused', () => {
    const text = JSON.stringify([{ ...busy, share: 0.1 }]);

    expect(() => readRuns(text)).toThrow('Expected whole runs; got those of --quick.');
  });

  test.each(['{', '[{"stage":"prod"}]'])('are not read from %s', (text) => {
    expect(() => readRuns(text)).toThrow(
      /Expected the runs of the capacity model; got .*--json FILE/s,
    );
  });
});

describe('the tables', () => {
  test('show what a stage held; where it falls behind, the lag is a lower bound', () => {
    expect(bodyOf(renderHeld(runs))).toEqual([
      '| prod | busy | 1,002 | all | 1.6 s | 3.5 s | 12 s | 4,321 |  | 0 |',
      '| prod | viral | 20,000 | 3,400 | > 9 s | > 17 s | > 17 s | 4,321 |  | 0 |',
      '| prod | spike | 1,002 | all | 1.6 s | 3.5 s | 12 s | 4,321 | 95 s | 0 |',
    ]);
  });

  test('show what a stage costs', () => {
    expect(bodyOf(renderCosts(runs))[0]).toBe(
      '| prod | busy | 4.60 | 1.10 | 16 % | 279 | 1.9 (7) | 3.10 | 1.60 | the API (50 %) |',
    );
  });

  test('set off what takes more than there is', () => {
    expect(renderFront(runs)).toContain('| stage | traffic | the API | PutEvents |');
    expect(renderFront(runs)).toContain('| prod | viral | **1,000 %** | **200 %** |');
    expect(renderFront(runs)).toContain('| prod | busy | 50 % | 10 % |');
  });

  test('put the others beside us, traffic by traffic', () => {
    const table = renderOthers(runs);

    expect(bodyOf(table).map((line) => line.split(' | ').slice(0, 3).join(' | '))).toEqual([
      '| busy | click-tally | all',
      '| busy | hand-rolled transaction | all',
      '| busy | stock Powertools | all',
      '| viral | click-tally | 3,400',
      '| viral | stock Powertools | 0',
      '',
      'The others have `batchSize` 10, `batchWindowSeconds` 0, `maximumConcurrency` 1,000.',
    ]);
    expect(table).toContain(
      '| viral | stock Powertools | 0 | 0 % | – | 4.60 | 16 % | – | 1.9 (7) | – |',
    );
  });

  test('show the dollars of each part, and a dash where no click was counted', () => {
    const lines = renderDollars(runs).split('\n');

    expect(lines[0]).toBe(
      '| part | busy, click-tally | busy, hand-rolled transaction | busy, stock Powertools | viral, click-tally | viral, stock Powertools |',
    );
    expect(lines[2]).toBe('| API | 2.000 | 7.000 | 2.000 | 2.000 | – |');
    expect(lines.at(-1)).toBe('| **all** | **3.10** | **8.10** | **3.10** | **3.10** | – |');
    // The titles, the line below them, twelve parts and their sum.
    expect(lines).toHaveLength(15);
  });

  test('show the best setting, and what the stage has if it was tried', () => {
    const settings = readStage('prod');
    const current = {
      batchSize: 1_000,
      batchWindowMs: 2_000,
      maximumConcurrency: 10,
      clickQueues: 2,
      memoryMb: 1_024,
    };
    const tried: Trial = {
      tuning: {
        ...{ batchSize: 1_000, batchWindowSeconds: 2, maximumConcurrency: 10, clickQueues: 2 },
        memoryMb: 1_024,
      },
      ...{ holds: true, lagP99Ms: 3_500, unitsPerClick: 4.6, dollarsPerMillion: 6.16 },
    };

    const best = [
      '| the cheapest below 60 s | 1 | 10,000 | 30 | 2 | 512 | 33 s |  | 1.50 | 4.20 |',
      '| the cheapest below 5 s that holds the hot link | 4 | 10,000 | 30 | 2 | 512 | 33 s | 4.3 s | 1.50 | 4.50 |',
    ];
    expect(bodyOf(renderSweep(sweep, { ...settings, ...current }))).toEqual(best);
    const both = renderSweep({ ...sweep, trials: [trial, tried] }, { ...settings, ...current });
    expect(bodyOf(both)).toEqual([
      ...best,
      '| prod as it is | 2 | 1,000 | 2 | 10 | 1,024 | 3.5 s |  | 4.60 | 6.16 |',
    ]);
  });
});

test('a check is shown part by part, with its deviations and its sources', () => {
  const row = { figure: 'a limit', unit: 'bytes', real: 1_000, model: 800, words: '−20 %: why' };
  const record: CheckRecord = {
    ...{ checkedAt: '2026-11-22T19:00:00.000Z', cpu: 'EPYC', node: 'v24.21.0' },
    rows: [
      { ...row, part: 'stack', subject: 'busy', verdict: 'agrees', words: '' },
      { ...row, part: 'published', subject: 'https://aws.com/limits.html', verdict: 'deviates' },
    ],
  };

  const { check } = renderCheckParts(record);

  expect(check).toContain('Checked on 2026-11-22, on EPYC with Node v24.21.0.');
  expect(check).toContain('| busy | a limit (bytes) | 1,000 | 800 | agrees |');
  expect(check).toContain(
    '| a limit (bytes) | 1,000 | 800 | −20 %: why | [limits](https://aws.com/limits.html) |',
  );
});

describe('the page', () => {
  const page = readFileSync('docs/capacity.md', 'utf8');

  test('has the figures of the model that the code has; npm --prefix proofs run capacity:docs renews them', () => {
    expect(updatePage(page, renderCodeParts())).toBe(page);
  });

  test('gives a limit with its basis and its source', () => {
    expect(page).toContain(
      '| 120,000 | messages | received from the queue and not deleted yet | AWS | [quotas-queues](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html) |',
    );
    expect(page).toContain('| service | [read-url.ts](../lib/links/read-url.ts) |');
  });

  test('takes new figures, and keeps what was written around them', () => {
    const prose = (text: string) =>
      text.replaceAll(/(<!-- \w+: .*-->)[\s\S]*?(<!-- \/\w+ -->)/g, '$1$2');

    const updated = updatePage(page, renderRunParts(runs, sweep));

    expect(prose(updated)).toBe(prose(page));
    expect(updated).toContain('| prod | busy | 1,002 | all |');
    expect(updated).toContain('](images/capacity-lag.svg)');
    expect(updated).toContain('](images/capacity-dollars.svg)');
  });

  test('is refused without the marks of a part', () => {
    expect(() => updatePage('# A page', { model: '' })).toThrow(
      'expected the page to have the lines "<!-- model: npm --prefix proofs run capacity:docs writes this -->"',
    );
  });
});

describe.each([
  ['lag', drawLag, ['busy: 3.5 s', 'viral: > 17 s', 'spread over many links']],
  [
    'dollars',
    drawDollars,
    ['busy', 'viral (falls behind)', 'spike', 'busy, hand-rolled transaction', 'bus', '$8.10'],
  ],
] as const)('the picture of the %s', (_, draw, labels) => {
  const svg = draw(runs);

  test('is well-formed', () => {
    const withoutTags = svg.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');

    expect(withoutTags).not.toContain('<');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('has each label once', () => {
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);

    for (const label of labels) {
      const found = texts.filter((text) => text === label);
      expect(found, label).toHaveLength(1);
    }
  });

  test('needs runs of prod', () => {
    expect(() => draw(runs.filter(({ stage }) => stage === 'dev'))).toThrow(
      'expected runs of prod',
    );
  });
});

test('labels of points in one place meet neither each other nor an obstacle', () => {
  const frame: Box = { left: 0, top: 0, width: 300, height: 200 };
  const obstacle: Box = { left: 140, top: 80, width: 20, height: 25 };
  const labels = ['one', 'two', 'three', 'four'].map((text) => ({ text, x: 150, y: 100 }));

  const boxes = [obstacle, ...placeLabels(labels, [obstacle], frame).map(({ box }) => box)];

  const meetings = boxes.flatMap((one, index) =>
    boxes.slice(index + 1).filter((other) => {
      const [x, y] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
      const right = Math.min(one.left + one.width, other.left + other.width);
      return x < right && y < Math.min(one.top + one.height, other.top + other.height);
    }),
  );
  expect(meetings).toEqual([]);
});
