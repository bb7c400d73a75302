import { describe, expect, test } from 'vitest';
import { narrow, placeDots, wide } from '../../../dashboard/try/layout.ts';
import type { PipelinePart } from '../../../dashboard/try/try-run.ts';

describe.each([
  ['wide', wide],
  ['narrow', narrow],
])('in the %s drawing', (_name, layout) => {
  test.each<Exclude<PipelinePart, 'start'>>(['bus', 'queue', 'table', 'duplicates', 'setAside'])(
    '110 messages fit into %s without overlapping',
    (part) => {
      const dots = placeDots(
        Array.from({ length: 110 }, () => part),
        layout,
      );

      const { x, y, width, height } = layout.boxes[part];
      for (const dot of dots) {
        expect(dot.x).toBeGreaterThan(x);
        expect(dot.x).toBeLessThan(x + width);
        expect(dot.y).toBeGreaterThan(y);
        expect(dot.y).toBeLessThan(y + height);
      }
      expect(new Set(dots.map((dot) => `${dot.x},${dot.y}`)).size).toBe(110);
    },
  );

  test('a message keeps its rank among the messages in the same place', () => {
    const [first, , third] = placeDots(['queue', 'table', 'queue'], layout);
    const [alone] = placeDots(['queue'], layout);

    expect(first).toEqual(alone);
    expect(third?.x).toBeGreaterThan(first?.x ?? 0);
  });
});
