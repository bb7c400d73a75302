import { fromBytes, type Sketch, SketchFormError } from '../../clicks/visitor-sketch.ts';
import { firstDay, lastDay } from '../../days.ts';
import { queryRange } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { visitorsKey } from '../../keys.ts';
import type { Range } from './days.ts';
import type { DaySketches } from './visitor-counts.ts';

/** Reads the visitors of a link's days. The range is inclusive. */
export async function querySketches(
  table: TableAccess,
  code: string,
  { from = firstDay, to = lastDay }: Range,
): Promise<DaySketches> {
  const sketches = new Map<string, Sketch>();
  for await (const items of queryRange(table, visitorsKey(code, from), visitorsKey(code, to))) {
    for (const { SK, sketch } of items) {
      const read = readSketch(sketch);
      if (read) sketches.set(SK.slice(visitorsKey('', '').SK.length), read);
    }
  }
  return sketches;
}

/** A newer version may have written it. The aggregator reports that; the owner gets the other numbers. */
function readSketch(stored: unknown): Sketch | undefined {
  try {
    return stored instanceof Uint8Array ? fromBytes(stored) : undefined;
  } catch (error) {
    if (error instanceof SketchFormError) return undefined;
    throw error;
  }
}
