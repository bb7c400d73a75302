import { type CheckRecord, formatFigure, formatVerdict } from '../check/report.ts';
import type { CheckRow, Part } from '../check/row.ts';
import { type Column, renderTable } from './markdown.ts';
import { linkSources } from './model.ts';

const model: Column<CheckRow> = ['model', (row) => formatFigure(row.model)];
const verdict: Column<CheckRow> = ['deviation of the model', formatVerdict, 'words'];

const tables: Record<Part, { title: string; columns: Column<CheckRow>[] }> = {
  stack: {
    title: 'The same clicks, counted by the local stack and by the model:',
    columns: [
      ['traffic', ({ subject }) => subject, 'words'],
      ['figure', nameFigure, 'words'],
      ['local stack', ({ real }) => formatFigure(real)],
      ...[model, verdict],
    ],
  },
  batches: {
    title: 'The batches that the model formed, counted by the packaged aggregator on dynoxide:',
    columns: [
      ['stage and traffic', ({ subject }) => subject, 'words'],
      ['figure', nameFigure, 'words'],
      ['dynoxide', ({ real }) => formatFigure(real)],
      ...[model, verdict],
    ],
  },
  published: {
    title: 'What AWS and others published:',
    columns: [
      ['figure', nameFigure, 'words'],
      ['published', ({ real }) => formatFigure(real)],
      ...[model, verdict],
      ['source', ({ subject }) => linkSources(subject), 'words'],
    ],
  },
};

/** The tables of a check, and when and where it was made. */
export function renderCheck({ rows, checkedAt, cpu, node }: CheckRecord): string {
  const parts = Object.entries(tables).map(([part, { title, columns }]) => {
    const own = rows.filter((row) => row.part === part);
    return `${title}\n\n${renderTable(columns, own)}`;
  });
  return [`Checked on ${checkedAt.slice(0, 10)}, on ${cpu} with Node ${node}.`, ...parts].join(
    '\n\n',
  );
}

function nameFigure({ figure, unit }: CheckRow): string {
  return unit ? `${figure} (${unit})` : figure;
}
