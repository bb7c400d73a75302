/** A line through measurements: target ≈ Σ coefficient × column. */
export interface LinearFit {
  coefficients: number[];
  /** By coefficient, in its unit. */
  standardErrors: number[];
}

/**
 * Fits by least squares, through the normal equations.
 *
 * @param rows the columns of each measurement.
 * @throws {RangeError} if the measurements do not tell the columns apart.
 */
export function fitLinear(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
): LinearFit {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? 0)) ?? [];
  const inverse = invert(columns.map((one) => columns.map((other) => dot(one, other))));
  const projected = columns.map((column) => dot(column, targets));
  const coefficients = inverse.map((row) => dot(row, projected));
  const residuals = rows.map((row, index) => (targets[index] ?? 0) - dot(row, coefficients));
  const variance = dot(residuals, residuals) / Math.max(1, rows.length - columns.length);
  const standardErrors = inverse.map((row, index) => Math.sqrt(variance * (row[index] ?? 0)));
  return { coefficients, standardErrors };
}

/** Below this share of its column's square, what is left of a pivot is a rounding error. */
const smallestPivot = 1e-10;

/** Inverts a symmetric positive definite matrix, by Gauss and Jordan. */
function invert(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...unit(index, size)]);
  for (const [index, pivotRow] of rows.entries()) {
    const pivot = pivotRow[index] ?? 0;
    if (!(pivot > smallestPivot * (matrix[index]?.[index] ?? 0))) {
      throw new RangeError(`expected independent columns; column ${index} depends on others`);
    }
    for (const [column, value] of pivotRow.entries()) pivotRow[column] = value / pivot;
    for (const row of rows) {
      const factor = row[index] ?? 0;
      if (row === pivotRow) continue;
      for (const [column, value] of pivotRow.entries()) {
        row[column] = (row[column] ?? 0) - factor * value;
      }
    }
  }
  return rows.map((row) => row.slice(size));
}

function unit(index: number, size: number): number[] {
  return Array.from({ length: size }, (_, column) => (column === index ? 1 : 0));
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
