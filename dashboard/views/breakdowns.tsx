import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  botValue,
  dividedBreakdowns,
  findUndivided,
  hasKnownValues,
} from '../../lib/clicks/undivided.ts';
import { formatCount, formatShare } from '../format.ts';
import { hashOfOverview } from '../overview-query.ts';
import { isWithoutBots } from '../state/bots.ts';
import { type CampaignValue, sumCounts, type ValueCount } from '../state/counts.ts';
import type { LinkState } from '../state/link.ts';
import { Button } from './button.tsx';
import { withBots } from './without-bots.tsx';

const titles: Record<string, string> = {
  referrer: 'Sources',
  country: 'Countries',
  device: 'Devices',
  network: 'Networks',
};
export const campaignTitles = {
  utm_campaign: 'Campaigns',
  utm_source: 'Campaign sources',
  utm_medium: 'Campaign media',
};
// The figures have the visitors, and the chart has the hours.
const shownElsewhere = ['visitor', 'hour'];
const shownValues = 8;

/** The range's breakdowns as ranked bars. A value that is chosen is compared in the chart. */
export function BreakdownLists({ link }: { link: LinkState }) {
  const period = link.period.value;
  if (!period) return <div class="breakdowns is-loading" aria-busy="true" />;
  // Breakdowns without a title come last.
  const all = new Set([...Object.keys(titles), ...Object.keys(period.breakdowns)]);
  const names = [...all].filter(
    (breakdown) =>
      !shownElsewhere.includes(breakdown) && hasKnownValues(period.breakdowns, breakdown),
  );
  return (
    <section class="breakdowns" aria-label="Breakdowns">
      {names.map((breakdown) => (
        <ComparableBars key={breakdown} link={link} breakdown={breakdown} />
      ))}
    </section>
  );
}

/** Whether the values of a breakdown, other than `bot`, have clicks by bots. */
export function includesBots({ period }: LinkState, breakdown: string): boolean {
  const { bots } = findUndivided(period.value?.breakdowns ?? {});
  return bots > 0 || !dividedBreakdowns.includes(breakdown);
}

/** The range's UTM parameters. Their days are in the overview. */
export function CampaignLists({ link }: { link: LinkState }) {
  const names = Object.keys(campaignTitles) as (keyof typeof campaignTitles)[];
  const lists = names.flatMap((name) => {
    const all = link.past.value?.campaigns[name] ?? [];
    const { values, undivided } = isWithoutBots.value
      ? rankByPeople(all)
      : { values: all, undivided: 0 };
    return values.length > 0 ? [{ name, values, hasBots: undivided > 0 }] : [];
  });
  if (lists.length === 0) return null;
  return (
    <section class="breakdowns" aria-label="Campaigns">
      {lists.map((list) => (
        <RankedBars
          key={list.name}
          title={campaignTitles[list.name] + withBots(list.hasBots)}
          values={list.values}
        >
          {(value) => (
            <a href={hashOfOverview({ code: link.code, filter: { name: list.name, value } })}>
              <bdi>{value}</bdi>
            </a>
          )}
        </RankedBars>
      ))}
    </section>
  );
}

/** A campaign's values by clicks by people or, if some clicks may be by people or by bots, by all clicks. */
export function rankByPeople(all: readonly CampaignValue[]) {
  const undivided = all.reduce((sum, value) => sum + value.undivided, 0);
  const values = all
    .map(({ name, count, people }) => ({ name, count: undivided > 0 ? count : people }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return { values, undivided };
}

function ComparableBars({ link, breakdown }: { link: LinkState; breakdown: string }) {
  const isChosen = (name: string) =>
    link.value.value?.breakdown === breakdown && link.value.value.name === name;
  const values = link.period.value?.breakdowns[breakdown] ?? [];
  const isShown = (name: string) => name !== botValue || !isWithoutBots.value || isChosen(name);
  return (
    <RankedBars
      title={(titles[breakdown] ?? breakdown) + withBots(includesBots(link, breakdown))}
      values={values.filter(({ name }) => isShown(name))}
    >
      {(name) => (
        <button
          type="button"
          aria-pressed={isChosen(name)}
          title="Compare by day"
          onClick={() => link.compare(isChosen(name) ? undefined : { breakdown, name })}
        >
          {nameOf(breakdown, name)}
        </button>
      )}
    </RankedBars>
  );
}

interface RankedBarsProps {
  title: string;
  values: ValueCount[];
  /** Renders a value's name. */
  children: (name: string) => ComponentChildren;
}

export function RankedBars({ title, values, children }: RankedBarsProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? values : values.slice(0, shownValues);
  const total = sumCounts(values);
  const max = Math.max(1, ...values.map(({ count }) => count));
  return (
    <div class="panel">
      <h2>{title}</h2>
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
                {children(name)}
              </th>
              <td>{formatCount(count)}</td>
              <td class="muted">{formatShare(count, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > shownValues && (
        <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `${values.length - shownValues} more`}
        </Button>
      )}
    </div>
  );
}

const names: Record<string, string> = {
  bot: 'bots',
  own: 'this service',
  duckduckgo: 'DuckDuckGo',
  x: 'X',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
  github: 'GitHub',
  vk: 'VK',
  stackoverflow: 'Stack Overflow',
  hackernews: 'Hacker News',
  chatgpt: 'ChatGPT',
  assistant: 'Other assistants',
  hosting: 'data centers',
};

/** Names countries in the reader's language. */
const countries = new Intl.DisplayNames(undefined, { type: 'region' });

/** A value for display. Those of campaigns are texts. */
export function nameOf(of: string, value: string): string {
  if (of in campaignTitles) return value;
  const isCountry = /^[A-Z]{2}$/.test(value);
  const name = (isCountry ? countries.of(value) : names[value]) ?? value;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
