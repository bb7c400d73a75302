import { replacePart } from '../../../../fixtures/page-part.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Observation } from '../observation.ts';
import type { Row } from '../run.ts';
import { countVerdicts, describeDelivery, describeFigures } from './describe.ts';

const documentation =
  'https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/';
const begin =
  '<!-- The rest is written by npm --prefix packages/powertools-idempotency-transactional run compare -- --write. -->';
const end = '<!-- End of what the command writes. -->';

/**
 * Puts the table between the marks of a page.
 *
 * @throws {Error} if a mark is missing.
 */
export function updatePage(
  page: string,
  groups: [heading: string, members: Behaviour[]][],
  rows: Row[],
): string {
  return replacePart(page, [begin, end], renderGroups(groups, rows));
}

function renderGroups(groups: [heading: string, members: Behaviour[]][], rows: Row[]): string {
  const tables = groups.map(([heading, members]) => {
    const lines = rows.filter(({ behaviour }) => members.includes(behaviour)).map(renderRow);
    const head = '| what happens | stock | ours | ours is |\n|---|---|---|---|';
    return `### ${heading}\n\n${head}\n${lines.join('\n')}`;
  });
  return [`Of ${rows.length} behaviours, ours is: ${countVerdicts(rows)}.`, ...tables].join('\n\n');
}

function renderRow({ behaviour, stock, ours }: Row): string {
  const { title, section, due, verdict, why } = behaviour;
  const link = section ? ` [Documented](${documentation}#${section}).` : '';
  const cells = [
    `${title}${link} Due: ${due}.`,
    renderCell(stock),
    renderCell(ours),
    `**${verdict}**: ${why}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderCell(observation: Observation): string {
  const deliveries = observation.deliveries.map(describeDelivery).map(markCode);
  return [...deliveries, describeFigures(observation)].join('<br>');
}

// Answers and names of errors.
function markCode(text: string): string {
  return text.replaceAll(/\{.*\}|\w+(?:Error|Exception)/g, '`$&`');
}
