import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { Range } from '../days.ts';
import { countOf, formatFullDay, formatTime, shortenUrl } from '../format.ts';
import { hashOfCurrentList } from '../state/arrangement.ts';
import { mostMissing } from '../state/backlog.ts';
import { today } from '../state/browser.ts';
import { createLinkState, type LinkState } from '../state/link.ts';
import { announce, api, live } from '../state/services.ts';
import { ActionNote, useDownload } from './actions.tsx';
import { BreakdownLists, CampaignLists } from './breakdowns.tsx';
import { Button } from './button.tsx';
import { ClicksOverTime } from './clicks-over-time.tsx';
import { Completeness } from './completeness.tsx';
import { Count } from './count.tsx';
import { LazyView } from './lazy-view.tsx';
import { LinkActions } from './link-actions.tsx';
import { isOff, Lines, LinkBadges, ShortUrl, Tags, Title } from './link-texts.tsx';
import { ProblemNotice } from './notices.tsx';
import { withBots } from './without-bots.tsx';

const loadVisitors = async () => (await import('./lazy-views.ts')).LinkVisitors;

export function LinkView({ code, range }: { code: string; range: Range }) {
  const link = useMemo(() => createLinkState(code, range), [code]);
  // When a new day starts, today moves into the past.
  const day = today.value;
  useEffect(() => {
    document.title = `${code} · click-tally`;
    const { load: reload, problem, period, takeDay } = link;
    const hasNumbers = computed(() => period.value !== undefined);
    live.show({ reload, problem, hasNumbers, takeDay }, [code]);
  }, [link]);
  useEffect(() => {
    link.range.value = range;
    link.load();
  }, [link, day, range]);
  const problem = link.problem.value;
  const isMissing = problem?.action === 'back';
  return (
    <article class="link">
      <nav class="back" aria-label="Back">
        <a href={hashOfCurrentList()}>‹ Your links</a>
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
            <NoClicks link={link.answer.value} />
          ) : (
            <>
              <ClicksOverTime link={link} />
              <LazyView load={loadVisitors} shows={(Visitors) => <Visitors link={link} />} />
              <BreakdownLists link={link} />
              <CampaignLists link={link} />
              <Downloads link={link} />
            </>
          )}
        </>
      )}
    </article>
  );
}

/** A link without counted clicks. Some of those that are missing may be on it. */
function NoClicks({ link }: { link: LinkAnswer }) {
  if (mostMissing.value) {
    return (
      <div class="empty">
        <h2>No clicks counted yet</h2>
        <p>The service hasn't counted all clicks. Some of the missing ones may be on this link.</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <h2>No clicks yet</h2>
      {!isOff(link) && (
        <p>Share the short link. The first click appears here the moment it's counted.</p>
      )}
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
    <section class="link-head" aria-label="Link">
      <h1 tabIndex={-1}>
        {answer ? <ShortUrl shortUrl={answer.shortUrl} /> : code}
        {answer && <LinkBadges link={answer} />}
      </h1>
      {answer ? (
        <>
          <p class="link-destination">
            <Title link={answer} />
            <a href={answer.url} target="_blank" rel="noreferrer" title={answer.url}>
              {shortenUrl(answer.url)}
            </a>
          </p>
          <Tags link={answer} />
          <Lines link={answer} />
          <LinkActions link={answer} onUpdate={link.replace} />
        </>
      ) : (
        <p class="skeleton" />
      )}
      {answer && isOff(answer) && <p class="row-note">{explainOff(answer)}</p>}
      <div class="link-facts">
        {answer && (
          <p>
            <span class="total">
              <Count value={clicks} />
            </span>{' '}
            {clicks === 1 ? 'click' : 'clicks'} in total{withBots()}
          </p>
        )}
        {answer && <History link={answer} />}
        <Completeness />
      </div>
    </section>
  );
}

/** When the link was created and last changed. Only its owner may do that; an operator takes it down. */
function History({ link: { createdAt, updatedAt } }: { link: LinkAnswer }) {
  return (
    <p>
      Created {formatTime(createdAt)}
      {updatedAt && ` · last changed by you ${formatTime(updatedAt)}`}
    </p>
  );
}

/** Why visitors aren't redirected. */
function explainOff({ disabled, disabledBy, expiresAt = '' }: LinkAnswer): string {
  const effect = "Visitors see that it isn't available.";
  if (disabledBy === 'operator') return `An operator took this link down. ${effect}`;
  if (disabled) return `You disabled this link. ${effect}`;
  return `This link expired on ${formatTime(expiresAt)}. Visitors see that it has expired.`;
}

const formats = { csv: 'Each day as CSV', json: 'Sums as JSON' };

/** Files of the range's clicks. */
function Downloads({ link: { code, from } }: { link: LinkState }) {
  const { note, save } = useDownload();
  const days = { from: from.value, to: today.value };
  const readAs = (format: string) => () => api.readStatsAs(format, code, days);
  const name = `${code} ${days.from} to ${days.to}`;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads">Download</h2>
      <p class="muted">
        {formatFullDay(days.from)} to {formatFullDay(days.to)} (UTC days): each day's clicks by
        person or bot, source, country, device and hour (UTC). Campaigns are only in the JSON.
      </p>
      <p class="buttons">
        {Object.entries(formats).map(([format, text]) => (
          <Button key={format} onClick={() => save(`${name}.${format}`, readAs(format))}>
            {text}
          </Button>
        ))}
      </p>
      <ActionNote note={note} />
    </section>
  );
}
