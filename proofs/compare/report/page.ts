import type { CellResult } from '../cell.ts';
import {
  type Approach,
  approaches,
  type Effect,
  type Fault,
  faults,
  ownApproach,
} from '../names.ts';
import { explain, findCounterexamples, remarks } from './explanations.ts';
import { arrangeMatrix } from './matrix.ts';
import { classifyOutcome, describeOutcome, isExact } from './outcome.ts';

interface PageFacts {
  clickCount: number;
  batchSize: number;
  seed: number;
}

const style = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2329;--faint:#5b6470;--own:#1a7f37;--own-name:#116329;--exact:#d8f0df;--doubled:#ffdca8;--lost:#ffc9c9;--dead:#d9d7fb}
@media (prefers-color-scheme:dark){:root{--paper:#0e1116;--ink:#e8ebf0;--faint:#9aa4b2;--own:#238636;--own-name:#56d364;--exact:#12402a;--doubled:#6b4306;--lost:#74201f;--dead:#3b357f}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:76rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.6rem;line-height:1.2}h2{margin-top:2.5rem;font-size:1.25rem}h3{margin-bottom:.25rem;font-size:1rem}
p,li{max-width:46rem}.faint{color:var(--faint)}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}
table{border-collapse:separate;border-spacing:2px;font-size:.8125rem}
th{font-weight:600;text-align:left;white-space:nowrap;padding:.2rem .4rem}
thead th{vertical-align:bottom;text-align:center}.own{color:var(--own-name)}
.tilted{writing-mode:vertical-rl;transform:rotate(180deg);display:inline-block}
tbody th{padding:.6rem 0 .1rem;white-space:normal;font-weight:400;line-height:1.35}
tbody p{position:sticky;left:0;width:min(100%,calc(100vw - 2rem));max-width:none;margin:0}
td{text-align:center;white-space:nowrap;padding:.2rem .4rem;border-radius:3px;min-width:1.9rem}
.exact{background:var(--exact)}.exact.own{background:var(--own);color:#fff;font-weight:700}.doubled{background:var(--doubled)}.lost{background:var(--lost)}.dead{background:var(--dead)}
td a{color:inherit}
dt{font-weight:600;margin-top:.5rem}dd{margin:0;max-width:46rem}
.chip{display:inline-block;padding:0 .4rem;border-radius:3px;font-size:.8125rem}
@media (min-width:48rem){td{min-width:4.2rem}.narrow{display:none}}@media (max-width:47.99rem){.wide{display:none}}
`;

/** Renders the report as one file that loads nothing else. */
export function renderPage(results: CellResult[], facts: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>The gauntlet: approaches against faults</title>
<style>${style}</style>
</head>
<body>
<h1>The gauntlet: twelve approaches against nineteen faults</h1>
<p>Each cell is a run of ${facts.clickCount} clicks, a third of them on one link (the hot link), in batches of ${facts.batchSize}, on real local engines: DynamoDB, SQS and SNS. An auditor compares the messages that were sent with the table and the queues at the end. It relies on nothing an approach reports.</p>
<p><span class="chip exact">exact</span> every click once · <span class="chip doubled">+n</span> counted too often · <span class="chip lost">−n</span> lost · <span class="chip dead">DLQ n</span> good clicks in the dead-letter queue. A figure links to its reason.</p>
${renderMatrix(results, 'count')}
${renderCharges(results)}
<h2 id="reasons">The approaches, and the reason for each failing cell</h2>
<p>Each approach is one file in <code>proofs/compare/approaches/</code>, where you can verify every statement.</p>
${approaches.map((approach) => renderApproach(approach, results)).join('\n')}
<h2 id="how">How to read it</h2>
<ul>
<li>The same seed (${facts.seed}) injects the same faults: <code>npm --prefix proofs run compare -- --seed ${facts.seed}</code>.</li>
<li>A click is exact if its link's total and its day's count both contain it once. For <code>fifo</code>, the auditor counts the documents.</li>
<li>A crash kills the function's process (SIGKILL) at a request that the seed chooses. If the work is a single request, “in the middle” means that DynamoDB has executed it but not yet answered. A function that hangs is killed after 1.5 seconds instead of its own timeout.</li>
<li>The gauntlet does not wait: it moves the clock. Whenever the clock moves, it deletes the items whose ttl has passed. On AWS that can take days, which helps short claims and changes no other cell.</li>
<li>TransactionConflict and throttling are injected below the SDK's retries.</li>
</ul>
</body>
</html>
`;
}

function renderMatrix(results: CellResult[], effect: Effect): string {
  const { approaches: shown, rows } = arrangeMatrix(results, effect);
  const heads = shown.map(
    (name) =>
      `<th scope="col"><span class="tilted${name === ownApproach ? ' own' : ''}">${name}</span></th>`,
  );
  const groups = rows.map(
    ({ fault, cells }) =>
      `<tbody>${renderFault(fault, shown.length)}<tr>${cells.map(renderCell).join('')}</tr></tbody>`,
  );
  return `<div class="scroll"><table><thead><tr>${heads.join('')}</tr></thead>${groups.join('')}</table></div>`;
}

/** Explains a fault above its cells, so that both fit on a phone. */
function renderFault(fault: Fault, columns: number): string {
  const { what, why } = faults[fault];
  return `<tr><th scope="rowgroup" colspan="${columns}"><p><b>${fault}</b> ${escapeMarkup(what)} <span class="faint">${escapeMarkup(why)}</span></p></th></tr>`;
}

function renderCell(result: CellResult | undefined): string {
  if (!result) return '<td></td>';
  const text = describeOutcome(result);
  if (isExact(result)) {
    const own = result.approach === ownApproach ? ' own' : '';
    return `<td class="exact${own}"><span class="wide">exact</span><span class="narrow">✓</span></td>`;
  }
  const reason = escapeMarkup(explain(result) ?? '');
  return `<td class="${classifyOutcome(result)}" title="${reason}"><a href="#${anchor(result)}">${text}</a></td>`;
}

function anchor({ approach, fault, effect }: CellResult): string {
  return `${approach}.${fault}.${effect}`;
}

function renderCharges(results: CellResult[]): string {
  if (results.every(({ effect }) => effect === 'count')) return '';
  return `<h2 id="charges">Who charges twice?</h2>
<p>The same approaches around a call to a payment API, which no DynamoDB transaction can include. A + counts clicks charged twice, a − clicks never charged. The first table shows calls without an idempotency key; in the second, each approach passes its own key on as <code>Idempotency-Key</code>.</p>
<h3>Without a key</h3>
${renderMatrix(results, 'charge')}
<h3>With a key</h3>
${renderMatrix(results, 'charge-with-key')}`;
}

function renderApproach(approach: Approach, results: CellResult[]): string {
  const own = results.filter((result) => result.approach === approach);
  if (own.length === 0) return '';
  const counts = own.filter(({ effect }) => effect === 'count');
  const exact = counts.filter(isExact).length;
  const reasons = own
    .filter((result) => !isExact(result))
    .map(
      (result) =>
        `<dt id="${anchor(result)}">${result.fault}${result.effect === 'count' ? '' : `, ${result.effect}`} <span class="chip ${classifyOutcome(result)}">${describeOutcome(result)}</span></dt><dd>${escapeMarkup(explain(result) ?? '')}</dd>`,
    );
  const proofs = findCounterexamples(approach).map(
    (steps) =>
      `<details><summary>The shortest counterexample that SPIN finds</summary><ol>${steps.map((step) => `<li>${escapeMarkup(step)}</li>`).join('')}</ol></details>`,
  );
  return `<h3 id="${approach}">${approach} <span class="faint">exact in ${exact} of ${counts.length}</span></h3>
<p>${escapeMarkup(remarks[approach])}</p>
${reasons.length > 0 ? `<details open><summary>${reasons.length} failing cells</summary><dl>${reasons.join('')}</dl></details>` : ''}
${proofs.join('\n')}`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
