import { useEffect, useRef } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { formatCount, formatLocalDay, nameToday, shortenUrl } from '../format.ts';
import { order } from '../state/arrangement.ts';
import { mostMissing } from '../state/backlog.ts';
import { isWithoutBots } from '../state/bots.ts';
import { now, today } from '../state/browser.ts';
import { counterOf } from '../state/counts.ts';
import { clicksOf, lastDaysOf, onScreen } from '../state/links.ts';
import { recentVisitorsOf } from '../state/list-visitors.ts';
import { hashOf } from '../state/route.ts';
import { ChooseBox } from './choose-box.tsx';
import { Count } from './count.tsx';
import { LinkActions } from './link-actions.tsx';
import { isOff, LinkBadges, ShortUrl, Tags, Title } from './link-texts.tsx';

export function LinkRow({ link }: { link: LinkAnswer }) {
  const { code, shortUrl, url, createdAt } = link;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const show = (isShown = false) => {
      const others = [...onScreen.peek()].filter((other) => other !== code);
      onScreen.value = new Set(isShown ? [...others, code] : others);
    };
    const observer = new IntersectionObserver((entries) => show(entries.at(-1)?.isIntersecting), {
      rootMargin: '100px',
    });
    if (row.current) observer.observe(row.current);
    return () => {
      observer.disconnect();
      show();
    };
  }, [code]);
  return (
    <li ref={row} class={isOff(link) ? 'link-row is-off' : 'link-row'}>
      <div class="link-name">
        <div class="link-title">
          <ChooseBox code={code} />
          <a class="link-code" href={hashOf(code)} aria-label={shortenUrl(shortUrl)}>
            <ShortUrl shortUrl={shortUrl} />
          </a>
          <Title link={link} />
          <LinkBadges link={link} />
          <Tags link={link} />
        </div>
        <p class="link-url">
          <span title={url}>{shortenUrl(url)}</span>
          <time dateTime={createdAt}>
            <span class="hidden">Created </span>
            {formatLocalDay(createdAt)}
          </time>
        </p>
      </div>
      <RowNumbers code={code} />
      <LinkActions link={link} hasMenu />
    </li>
  );
}

function RowNumbers({ code }: { code: string }) {
  const counter = counterOf(code);
  const { clicks, people, bots } = counter.value;
  const unknown = clicks - people - bots;
  const day = counter.value.days.get(today.value);
  const ofToday = clicksOf(day);
  if (clicks === 0) {
    return (
      <p class="link-numbers no-clicks">
        {mostMissing.value ? 'No clicks counted yet' : 'No clicks yet'}
      </p>
    );
  }
  return (
    <>
      <Sparkline values={lastDaysOf(code) ?? []} />
      <p class="link-numbers">
        <span class="link-people">
          <Count value={people} /> <span class="unit">by people</span>
        </span>
        {order.value === 'visitors' && <Visitors code={code} people={people} />}
        {!isWithoutBots.value && (
          <>
            <span>
              <Count value={bots} /> <span class="unit">by bots</span>
            </span>
            <span>
              <Count value={clicks} /> <span class="unit">{clicks === 1 ? 'click' : 'clicks'}</span>
            </span>
          </>
        )}
        <span>
          {ofToday === undefined ? '–' : formatCount(ofToday)}{' '}
          <span class="unit">{nameToday(now.value)}</span>
        </span>
        {unknown > 0 && <span class="link-unknown">{formatCount(unknown)} by people or bots</span>}
      </p>
    </>
  );
}

/** Its visitors in the last 30 days, who are never more than the clicks by people. */
function Visitors({ code, people }: { code: string; people: number }) {
  const visitors = recentVisitorsOf(code);
  return (
    <span>
      {visitors === undefined ? '–' : `≈ ${formatCount(Math.min(visitors, people))}`}{' '}
      <span class="unit">visitors in 30 days</span>
    </span>
  );
}

/** Names the columns of the rows' numbers for the eye. Each number has its own name for screen readers. */
export function ColumnHeads() {
  const visitors = order.value === 'visitors' ? ['visitors'] : [];
  const heads = ['people', ...visitors, ...(isWithoutBots.value ? [] : ['bots', 'clicks'])];
  return (
    <div class="link-row list-columns" aria-hidden="true">
      <span />
      <span>14 days</span>
      <p class="link-numbers">
        {[...heads, nameToday(now.value)].map((head) => (
          <span key={head}>{head}</span>
        ))}
      </p>
    </div>
  );
}

/** The trend of the last days. The numbers are next to it. Without clicks, there's no line. */
function Sparkline({ values }: { values: readonly number[] }) {
  const width = 112;
  const height = 28;
  const max = Math.max(0, ...values);
  if (max === 0) return <span class="sparkline" />;
  const step = width / (values.length - 1);
  const points = values.map((value, index) => [index * step, height - (value / max) * height]);
  const line = `M${points.join('L')}`;
  const [x, y] = points.at(-1) ?? [];
  return (
    <svg class="sparkline" viewBox={`-3 -3 ${width + 6} ${height + 6}`} aria-hidden="true">
      <path class="sparkline-area" d={`${line}L${width},${height}L0,${height}Z`} />
      <path class="sparkline-line" d={line} />
      <circle class="sparkline-end" cx={x} cy={y} r="2.4" />
    </svg>
  );
}
