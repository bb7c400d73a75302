/** A column: its title, its cell for a row, and whether it has words instead of numbers. */
export type Column<T> = [title: string, read: (row: T) => string, kind?: 'words'];

/** A table in Markdown. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const lines = [
    columns.map(([title]) => title),
    columns.map(([, , kind]) => (kind ? '---' : '--:')),
    ...rows.map((row) => columns.map(([, read]) => read(row))),
  ];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
