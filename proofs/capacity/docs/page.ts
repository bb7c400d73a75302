import { replacePart } from '../../tools/page-part.ts';
import type { CheckRecord } from '../check/report.ts';
import type { Sweep } from '../sweep.ts';
import { renderCheck } from './check-tables.ts';
import { renderDollars } from './dollars.ts';
import { dollarsTitle } from './dollars-picture.ts';
import { lagTitle } from './lag-picture.ts';
import { renderModel, renderTraffics } from './model.ts';
import type { Run } from './read-runs.ts';
import { renderCosts, renderFront, renderHeld, renderOthers, renderRaised } from './runs.ts';
import { renderSweep } from './sweep-table.ts';

/** The parts of docs/capacity.md that are written for it, by the name in their marks. */
export type Parts = Readonly<Record<string, string>>;

/** The parts that follow from the code alone. */
export function renderCodeParts(): Parts {
  return { traffics: renderTraffics(), model: renderModel() };
}

/** The parts that show what was run. */
export function renderRunParts(runs: readonly Run[], sweep: Sweep): Parts {
  return {
    held: `${renderPicture(lagTitle, 'capacity-lag')}\n\n${renderHeld(runs)}`,
    costs: `${renderPicture(dollarsTitle, 'capacity-dollars')}\n\n${renderCosts(runs)}`,
    raised: renderRaised(runs),
    front: renderFront(runs),
    others: renderOthers(runs),
    dollars: renderDollars(runs),
    sweep: renderSweep(sweep),
  };
}

/** The part that shows a check of the model. */
export function renderCheckParts(record: CheckRecord): Parts {
  return { check: renderCheck(record) };
}

const renderPicture = (title: string, name: string) => `![${title}](images/${name}.svg)`;

/** @throws {Error} if the page lacks the marks of a part. */
export function updatePage(page: string, parts: Parts): string {
  return Object.entries(parts).reduce(
    (text, [name, content]) => replacePart(text, marksOf(name), content),
    page,
  );
}

const marksOf = (name: string) =>
  [
    `<!-- ${name}: npm --prefix proofs run capacity:docs writes this -->`,
    `<!-- /${name} -->`,
  ] as const;
