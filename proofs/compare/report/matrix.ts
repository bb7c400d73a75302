import type { CellResult } from '../cell.ts';
import { approaches, type Effect, faults } from '../names.ts';

/** Arranges the results of one effect, without empty rows and columns. */
export function arrangeMatrix(all: CellResult[], effect: Effect) {
  const results = all.filter((result) => result.effect === effect);
  const shown = approaches.filter((name) => results.some(({ approach }) => approach === name));
  const rows = faults.map((fault) => {
    const inRow = results.filter((result) => result.fault === fault);
    return { fault, cells: shown.map((name) => inRow.find(({ approach }) => approach === name)) };
  });
  return { approaches: shown, rows: rows.filter(({ cells }) => cells.some(Boolean)) };
}
