import type { CellResult } from '../cell.ts';

/** What a cell is shown as, the worst first. */
export type Tone = 'lost' | 'doubled' | 'dead' | 'exact';

/** The figures of a cell that is not exact, such as "+3" or "−4 DLQ 2"; otherwise "exact". */
export function describeVerdict({ doubled, lost, deadLettered }: CellResult): string {
  const parts = [
    lost > 0 && `−${lost}`,
    doubled > 0 && `+${doubled}`,
    deadLettered > 0 && `DLQ ${deadLettered}`,
  ].filter(Boolean);
  return parts.join(' ') || 'exact';
}

export function chooseTone({ doubled, lost, deadLettered }: CellResult): Tone {
  if (lost > 0) return 'lost';
  if (doubled > 0) return 'doubled';
  return deadLettered > 0 ? 'dead' : 'exact';
}

export function isExact(result: CellResult): boolean {
  return chooseTone(result) === 'exact';
}
