import { type CheckRecord, formatFigure, formatVerdict, partTitles } from '../check/report.ts';
import { type CheckRow, type Part, parts } from '../check/row.ts';
import { type Column, renderTable } from './markdown.ts';
import { linkSources } from './model.ts';

const model: Column<CheckRow> = ['model', (row) => formatFigure(row.model)];
const verdict: Column<CheckRow> = ['deviation of the model', formatVerdict, 'words'];
const figure: Column<CheckRow> = ['figure', nameFigure, 'words'];
const source: Column<CheckRow> = ['source', ({ subject }) => linkSources(subject), 'words'];
const nameSubject = (title: string): Column<CheckRow> => [title, ({ subject }) => subject, 'words'];
const real = (title: string): Column<CheckRow> => [title, (row) => formatFigure(row.real)];

const columns: Record<Part, Column<CheckRow>[]> = {
  stack: [nameSubject('traffic'), figure, real('local stack'), model, verdict],
  batches: [nameSubject('stage and traffic'), figure, real('dynoxide'), model, verdict],
  published: [figure, real('published'), model, verdict, source],
};

/** The tables of a check, and when and where it was made. */
export function renderCheck({ rows, checkedAt, cpu, node }: CheckRecord): string {
  const made = `Checked on ${checkedAt.slice(0, 10)}, on ${cpu} with Node ${node}.`;
  const tables = parts.flatMap((part) => [
    `${partTitles[part]}:`,
    renderTable(
      columns[part],
      rows.filter((row) => row.part === part),
    ),
  ]);
  return [made, ...tables].join('\n\n');
}

function nameFigure({ figure, unit }: CheckRow): string {
  return unit ? `${figure} (${unit})` : figure;
}
