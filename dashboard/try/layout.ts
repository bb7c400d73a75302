import { round } from '../charts/scale.ts';
import { countIn, type PipelinePart } from './try-run.ts';

interface Point {
  x: number;
  y: number;
}

/** The box of a pipeline stage, in the units of the drawing. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** The positions in the drawing. */
export interface Layout {
  width: number;
  height: number;
  boxes: Record<Exclude<PipelinePart, 'start'>, Box>;
  start: Point;
}

export const wide: Layout = {
  width: 760,
  height: 270,
  start: { x: -8, y: 74 },
  boxes: {
    bus: { x: 16, y: 16, width: 130, height: 116 },
    queue: { x: 196, y: 16, width: 190, height: 116 },
    aggregator: { x: 436, y: 16, width: 130, height: 116 },
    table: { x: 616, y: 16, width: 136, height: 238 },
    setAside: { x: 196, y: 176, width: 190, height: 78 },
    duplicates: { x: 436, y: 176, width: 130, height: 78 },
  },
};

export const narrow: Layout = {
  width: 320,
  height: 496,
  start: { x: 85, y: -8 },
  boxes: {
    bus: { x: 10, y: 8, width: 150, height: 78 },
    queue: { x: 10, y: 122, width: 150, height: 116 },
    aggregator: { x: 10, y: 274, width: 150, height: 84 },
    table: { x: 10, y: 394, width: 300, height: 94 },
    setAside: { x: 190, y: 122, width: 120, height: 116 },
    duplicates: { x: 190, y: 274, width: 120, height: 84 },
  },
};

const headHeight = 44;
const margin = 14;

/**
 * Positions each message: side by side in the box of its stage, row after row. In a full box they
 * move closer together.
 */
export function placeDots(places: readonly PipelinePart[], layout: Layout): Point[] {
  const ranks = new Map<PipelinePart, number>();
  return places.map((place) => {
    const rank = ranks.get(place) ?? 0;
    ranks.set(place, rank + 1);
    if (place === 'start') return layout.start;
    return slotIn(layout.boxes[place], rank, countIn(place, places));
  });
}

function slotIn({ x, y, width, height }: Box, rank: number, total: number): Point {
  const [roomX, roomY] = [width - 2 * margin, height - headHeight - margin];
  const gap = Math.min(14, Math.sqrt((roomX * roomY) / Math.max(1, total)));
  const columns = Math.max(1, Math.floor(roomX / gap) + 1);
  const [column, row] = [rank % columns, Math.floor(rank / columns)];
  return { x: round(x + margin + column * gap), y: round(y + headHeight + row * gap) };
}
