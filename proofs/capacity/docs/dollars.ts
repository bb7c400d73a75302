import { sumDollars } from '../pricing.ts';
import { type Column, renderTable } from './markdown.ts';
import type { Run } from './read-runs.ts';
import { approachNames, isOther, sortByTraffic } from './runs.ts';

/** Dollars a million clicks through the API by part: for us and others, on the traffics of both. */
export function renderDollars(runs: readonly Run[]): string {
  const traffics = runs.filter(isOther).map((run) => run.traffic);
  const isCompared = (run: Run) => run.stage === 'prod' && traffics.includes(run.traffic);
  const compared = sortByTraffic(runs.filter(isCompared));
  const names = compared[0]?.dollars?.throughApi.map(({ name }) => name) ?? [];
  const columns = compared.map((run): Column<string | undefined> => {
    const title = `${run.traffic}, ${approachNames[run.approach]}`;
    return [title, (name) => formatPart(run, name)];
  });
  const part: Column<string | undefined> = ['part', (name) => name ?? '**all**', 'words'];
  return renderTable([part, ...columns], [...names, undefined]);
}

/** The dollars of one part, or of all if there is no name. */
function formatPart({ dollars }: Run, name: string | undefined): string {
  if (!dollars) return '–';
  if (name === undefined) return `**${sumDollars(dollars.throughApi).toFixed(2)}**`;
  const found = dollars.throughApi.find((part) => part.name === name);
  return found ? found.dollarsPerMillion.toFixed(3) : '–';
}
