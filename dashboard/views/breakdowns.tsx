import { useEffect, useState } from 'preact/hooks';
import { formatCount, formatShare } from '../format.ts';
import { findUneven, sumCounts, type ValueCount } from '../state/counts.ts';
import type { LinkState } from '../state/link.ts';

const titles: Record<string, string> = {
  referrer: 'Sources',
  country: 'Countries',
  device: 'Devices',
  visitor: 'People and bots',
};
const shownValues = 8;

/** The range's breakdowns as ranked bars. */
export function BreakdownLists({ link }: { link: LinkState }) {
  const period = link.period.value;
  if (!period) return <div class="breakdowns is-loading" />;
  const total = sumCounts(period.days);
  // Breakdowns without a title come last. The hours have their own chart.
  const all = new Set([...Object.keys(titles), ...Object.keys(period.breakdowns)]);
  const names = [...all].filter(
    (name) => name !== 'hour' && (name !== 'country' || hasCountries(period.breakdowns[name])),
  );
  return (
    <section aria-label="Breakdowns">
      <div class="breakdowns">
        {names.map((name) => (
          <RankedBars
            key={name}
            title={titles[name] ?? name}
            values={period.breakdowns[name] ?? []}
            total={total}
          />
        ))}
      </div>
      <AddsUp link={link} />
    </section>
  );
}

/** Without CloudFront, every country is unknown, and a list of them would say nothing. */
function hasCountries(values: readonly ValueCount[] = []): boolean {
  return values.some(({ name }) => name !== 'unknown');
}

interface RankedBarsProps {
  title: string;
  values: readonly ValueCount[];
  total: number;
}

function RankedBars({ title, values, total }: RankedBarsProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? values : values.slice(0, shownValues);
  const sum = sumCounts(values);
  const max = Math.max(1, ...values.map(({ count }) => count));
  return (
    <div class="panel">
      <header class="panel-head">
        <h2>{title}</h2>
        <span
          class={sum === total ? 'sum' : 'sum is-uneven'}
          title="The values add up to the total"
        >
          {sum === total && <CheckMark />}
          {formatCount(sum)}
        </span>
      </header>
      {values.length === 0 && <p class="muted">No clicks in this range.</p>}
      <table class="ranked">
        <caption class="hidden">{title}</caption>
        <thead class="hidden">
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Clicks</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">
                <span class="ranked-bar" style={{ width: `${(100 * count) / max}%` }} />
                <span class="ranked-name">{nameOf(name)}</span>
              </th>
              <td>{formatCount(count)}</td>
              <td class="muted">{formatShare(count, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > shownValues && (
        <button
          type="button"
          class="button is-quiet"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : `${values.length - shownValues} more`}
        </button>
      )}
    </div>
  );
}

const patienceMs = 4_000;

/** Warns if the values don't add up for longer than a push may take. */
function AddsUp({ link }: { link: LinkState }) {
  const period = link.period.value;
  const uneven = period ? findUneven(period) : [];
  const [isLasting, setLasting] = useState(false);
  const isUneven = uneven.length > 0;
  useEffect(() => {
    setLasting(false);
    if (!isUneven) return;
    const timer = setTimeout(() => setLasting(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isUneven]);
  if (!period) return null;
  const total = formatCount(sumCounts(period.days));
  if (isUneven && isLasting) {
    const sums = uneven.map(({ name, sum }) => `${titles[name] ?? name}: ${formatCount(sum)}`);
    return (
      <p class="adds-up is-uneven" role="alert">
        The values don't add up to {total} clicks ({sums.join(', ')}). Reload the page. If this
        persists, contact an operator.
      </p>
    );
  }
  return (
    <p class="adds-up muted">
      {isUneven ? 'Adding up…' : <CheckMark />}
      {!isUneven && `Each list adds up to ${total}, and so do the hours.`}
    </p>
  );
}

function CheckMark() {
  return (
    <svg class="check-mark" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M2 6.5 5 9.5 10.5 2.5" />
    </svg>
  );
}

const names: Record<string, string> = {
  ...{ human: 'by people', bot: 'by bots', own: 'this service' },
  ...{ duckduckgo: 'DuckDuckGo', x: 'X', linkedin: 'LinkedIn', youtube: 'YouTube' },
  ...{ tiktok: 'TikTok', whatsapp: 'WhatsApp', stackoverflow: 'Stack Overflow', github: 'GitHub' },
  ...{ hackernews: 'Hacker News', chatgpt: 'ChatGPT', vk: 'VK' },
};

/** Names countries in the reader's language. */
const countries = new Intl.DisplayNames(undefined, { type: 'region' });

function nameOf(value: string): string {
  const isCountry = /^[A-Z]{2}$/.test(value);
  const name = (isCountry ? countries.of(value) : names[value]) ?? value;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
