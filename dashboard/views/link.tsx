import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { countOf, formatCount, formatShare, shortenUrl } from '../format.ts';
import { today } from '../state/browser.ts';
import { botsOf, sumOf } from '../state/counts.ts';
import { createLinkState, type LinkState } from '../state/link.ts';
import { announce, config, live } from '../state/services.ts';
import { TrySection } from '../try/view.tsx';
import { BreakdownLists } from './breakdowns.tsx';
import { ClicksOverTime } from './clicks-over-time.tsx';
import { Completeness } from './completeness.tsx';
import { Rise, RollingFigure } from './figure.tsx';
import { ShareActions } from './link-actions.tsx';
import { ProblemNotice } from './notices.tsx';
import { rangeNames } from './range-names.ts';

export function LinkView({ code }: { code: string }) {
  const link = useMemo(() => createLinkState(code), [code]);
  // When a new day starts, today moves into the past.
  const day = today.value;
  useEffect(() => {
    document.title = `${code} · click-tally`;
    live.show({ reload: link.load, takeDay: link.takeDay }, [code]);
    link.load();
  }, [link, day]);
  const problem = link.problem.value;
  const isMissing = problem?.action === 'back';
  return (
    <article class="link">
      <nav class="back" aria-label="Back">
        <a href="#/">‹ Your links</a>
      </nav>
      {problem && <ProblemNotice problem={problem} onRetry={link.load} />}
      {isMissing ? (
        <h1 class="hidden">{code}</h1>
      ) : (
        <>
          <LinkHead link={link} />
          <ClicksOverTime link={link} />
          <BreakdownLists link={link} />
          {config.tryIt && <TrySection code={code} />}
        </>
      )}
    </article>
  );
}

function LinkHead({ link }: { link: LinkState }) {
  const { code, url, counter } = link;
  const { clicks } = counter.value;
  const problem = useSignal('');
  const isKnown = url.value !== undefined;
  useEffect(() => {
    if (isKnown) announce(`${countOf(clicks, 'click')} on ${code}`);
  }, [clicks, isKnown]);
  const shortUrl = `${location.origin}/${code}`;
  return (
    <section class="totals" aria-label="Total">
      <div class="link-head">
        <h1>{code}</h1>
        <p class="link-destination">
          {url.value ? (
            <a href={url.value} target="_blank" rel="noreferrer" title={url.value}>
              {shortenUrl(url.value)}
            </a>
          ) : (
            '\u00a0'
          )}
        </p>
        <div class="link-actions">
          <ShareActions code={code} shortUrl={shortUrl} problem={problem} />
        </div>
      </div>
      {problem.value && (
        <p class="row-problem" role="alert">
          {problem}
        </p>
      )}
      <p class="total">
        <RollingFigure value={clicks} />
        <Rise value={clicks} isKnown={isKnown} />
      </p>
      <p class="total-scope">{clicks === 1 ? 'click' : 'clicks'} in total</p>
      <PeopleAndBots link={link} />
      <Completeness counted={clicks} />
    </section>
  );
}

function PeopleAndBots({ link }: { link: LinkState }) {
  const period = link.period.value;
  if (!period) return <p class="people">&nbsp;</p>;
  const clicks = sumOf(period);
  const bots = botsOf(period);
  return (
    <p class="people">
      <span class="muted">{rangeNames[link.range.value].sentence}: </span>
      {countOf(clicks, 'click')}, <b>{formatCount(clicks - bots)}</b> by people and{' '}
      <b>{formatCount(bots)}</b> by bots
      <span class="muted"> ({formatShare(bots, clicks)})</span>
    </p>
  );
}
