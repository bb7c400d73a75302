/** A table in Markdown. */
export function renderTable(columns, rows) {
    const lines = [
        columns.map(([title]) => title),
        columns.map(([, , kind]) => (kind ? '---' : '--:')),
        ...rows.map((row) => columns.map(([, read]) => read(row))),
    ];
    return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
