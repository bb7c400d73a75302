import { useEffect, useMemo } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { ranges } from '../days.ts';
import { countOf, formatCount, formatShare, shortenUrl } from '../format.ts';
import { today } from '../state/browser.ts';
import { visitorsOf } from '../state/counts.ts';
import { createLinkState, type LinkState } from '../state/link.ts';
import { announce, api, live } from '../state/services.ts';
import { BreakdownLists } from './breakdowns.tsx';
import { ClicksOverTime } from './clicks-over-time.tsx';
import { Completeness } from './completeness.tsx';
import { Download } from './download.tsx';
import { Rise, RollingFigure } from './figure.tsx';
import { LinkActions } from './link-actions.tsx';
import { isOff, LinkBadges } from './link-badges.tsx';
import { ProblemNotice } from './notices.tsx';
import { ShortUrl } from './short-url.tsx';

export function LinkView({ code }: { code: string }) {
  const link = useMemo(() => createLinkState(code), [code]);
  // When a new day starts, today moves into the past.
  const day = today.value;
  useEffect(() => {
    document.title = `${code} · click-tally`;
    live.show({ reload: link.load, problem: link.problem, takeDay: link.takeDay }, [code]);
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
        <h1 class="hidden" tabIndex={-1}>
          {code}
        </h1>
      ) : (
        <>
          <LinkHead link={link} />
          {link.counter.value.clicks === 0 && link.answer.value ? (
            <NoClicks isOff={isOff(link.answer.value)} />
          ) : (
            <>
              <ClicksOverTime link={link} />
              <BreakdownLists link={link} />
              <section class="files" aria-label="Files">
                <Download
                  label="Download statistics (CSV)"
                  file={`${code}.csv`}
                  read={() => api.readStatsAsCsv(code)}
                />
              </section>
            </>
          )}
        </>
      )}
    </article>
  );
}

function NoClicks({ isOff }: { isOff: boolean }) {
  return (
    <div class="empty">
      <h2>No clicks yet</h2>
      {!isOff && <p>Share the short URL. The first click appears here the moment it's counted.</p>}
    </div>
  );
}

function LinkHead({ link }: { link: LinkState }) {
  const { code, counter } = link;
  const { clicks } = counter.value;
  const answer = link.answer.value;
  const isKnown = answer !== undefined;
  useEffect(() => {
    if (isKnown) announce(`${countOf(clicks, 'click')} on ${code}`);
  }, [clicks, isKnown]);
  return (
    <section class="totals" aria-label="Total">
      <div class="link-head">
        <h1 tabIndex={-1}>
          {answer ? <ShortUrl shortUrl={answer.shortUrl} /> : code}
          {answer && <LinkBadges link={answer} />}
        </h1>
        {answer ? <Destination link={answer} state={link} /> : <p>&nbsp;</p>}
      </div>
      <p class="total">
        {isKnown ? <RollingFigure value={clicks} /> : <span class="muted">–</span>}
        <Rise value={clicks} isKnown={isKnown} />
      </p>
      <p class="total-scope">{clicks === 1 ? 'click' : 'clicks'} in total</p>
      {clicks > 0 && <PeopleAndBots link={link} />}
      <Completeness />
    </section>
  );
}

function Destination({ link, state }: { link: LinkAnswer; state: LinkState }) {
  return (
    <>
      <p class="link-destination">
        <a href={link.url} target="_blank" rel="noreferrer" title={link.url}>
          {shortenUrl(link.url)}
        </a>
      </p>
      <LinkActions
        link={link}
        onUpdate={(updated) => {
          state.answer.value = updated;
        }}
      />
      {link.disabledBy === 'operator' && (
        <p class="row-note">
          An operator took this link down. Visitors see that it isn't available.
        </p>
      )}
    </>
  );
}

/** The range's clicks by people and bots, and those by visitors who could be either. */
function PeopleAndBots({ link }: { link: LinkState }) {
  const period = link.period.value;
  if (!period) return <p class="people">&nbsp;</p>;
  const { clicks, people, bots, unknown } = visitorsOf(period);
  return (
    <p class="people">
      <span class="muted">{ranges[link.range.value].opening}: </span>
      {countOf(clicks, 'click')}, <b>{formatCount(people)}</b> by people, <b>{formatCount(bots)}</b>{' '}
      by bots<span class="muted"> ({formatShare(bots, clicks)})</span>
      {unknown > 0 && (
        <>
          , <b>{formatCount(unknown)}</b> unknown
        </>
      )}
    </p>
  );
}
