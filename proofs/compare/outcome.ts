import type { CellResult } from './cell.ts';

/** A cell's worst outcome, which decides its colour. */
export type CellOutcome = 'lost' | 'doubled' | 'dead' | 'exact';

/** The figures of a cell, such as "+3" or "−4 DLQ 2", or "✓" if it is exact. */
export function describeOutcome({ doubled, lost, deadLettered }: CellResult): string {
  const figures = [
    lost > 0 && `−${lost}`,
    doubled > 0 && `+${doubled}`,
    deadLettered > 0 && `DLQ ${deadLettered}`,
  ].filter(Boolean);
  return figures.join(' ') || '✓';
}

export function classifyOutcome({ doubled, lost, deadLettered }: CellResult): CellOutcome {
  if (lost > 0) return 'lost';
  if (doubled > 0) return 'doubled';
  return deadLettered > 0 ? 'dead' : 'exact';
}
