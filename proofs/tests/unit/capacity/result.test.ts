import { describe, expect, test } from 'vitest';
import { type Facts, type Flow, isHeld, nameLimit } from '../../../capacity/result.ts';

const flow: Flow = { sent: 6_000, counted: 6_000, seconds: 60, drains: false, depthEnd: 0 };

describe('a stage sustains a traffic', () => {
  test.each<[when: string, changes: Partial<Flow>]>([
    ['that it counts', {}],
    ['with batches in progress', { counted: 5_400 }],
    ['with a backlog of one second', { depthEnd: 100 }],
    ['of few clicks with a backlog of ten', { sent: 60, counted: 60, depthEnd: 10 }],
    ['whose backlog has drained', { drains: true, counted: 4_000 }],
  ])('%s', (_, changes) => {
    expect(isHeld({ ...flow, ...changes })).toBe(true);
  });

  test.each<[when: string, changes: Partial<Flow>]>([
    ['its backlog is more than one second', { depthEnd: 101 }],
    ['its backlog of few clicks is more than ten', { sent: 60, counted: 60, depthEnd: 11 }],
    ['more than a tenth is not counted', { counted: 5_399 }],
    ['its backlog does not drain', { drains: true, depthEnd: 5_000 }],
  ])('but not if %s', (_, changes) => {
    expect(isHeld({ ...flow, ...changes })).toBe(false);
  });
});

describe('the part that saturates first', () => {
  const front = [
    { part: 'API Gateway', share: 0.3 },
    { part: 'PutEvents', share: 0.5 },
  ];
  const settings = { maximumConcurrency: 5, clickQueues: 2 };
  const calm: Facts = {
    isHeld: true,
    ...{ conflictShare: 0, throttledShare: 0, inFlightShare: 0.1, concurrency: 1 },
  };

  test.each<[part: string, changes: Partial<Facts>]>([
    ['PutEvents (50%)', {}],
    ['messages in flight (60%)', { inFlightShare: 0.6 }],
    ['the concurrency of the aggregator (80%)', { concurrency: 8 }],
    ['PutEvents (50%)', { conflictShare: 0.9, throttledShare: 0.9 }],
  ])('is the most used one if the stage sustains the traffic: %s', (part, changes) => {
    expect(nameLimit(front, { ...calm, ...changes }, settings)).toBe(part);
  });

  test('may be one above its limit', () => {
    const over = [...front, { part: "the API's limit for visitors", share: 1.5 }];

    expect(nameLimit(over, calm, settings)).toBe("the API's limit for visitors (150%)");
  });

  test.each<[part: string, changes: Partial<Facts>]>([
    ['a partition of the table', { throttledShare: 0.06, conflictShare: 0.5, inFlightShare: 1 }],
    ['conflicts', { throttledShare: 0.05, conflictShare: 0.26, inFlightShare: 1 }],
    ['messages in flight', { conflictShare: 0.25, inFlightShare: 0.96 }],
    ['the concurrency of the aggregator', { inFlightShare: 0.95 }],
  ])('is the cause of the delays if the backlog grows: %s', (part, changes) => {
    const facts = { ...calm, isHeld: false, ...changes };

    expect(nameLimit(front, facts, settings)).toBe(part);
  });
});
