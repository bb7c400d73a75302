import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { lineFields, lines } from '../../lib/links/rules/link-fields.ts';
import { formatTime } from '../format.ts';
import { now } from '../state/browser.ts';
import { hashOfList } from '../state/route.ts';

/** A short link without its scheme. Its host, which all links share, may be on a line of its own. */
export function ShortUrl({ shortUrl }: { shortUrl: string }) {
  const { host, pathname } = new URL(shortUrl);
  return (
    <span>
      <span class="short-host">{host}/</span>
      <wbr />
      <span class="short-code">{pathname.slice(1)}</span>
    </span>
  );
}

/** A link's title. A text of another direction doesn't reorder its neighbours. */
export function Title({ link: { title } }: { link: LinkAnswer }) {
  return title ? (
    <bdi class="title" title={title}>
      {title}
    </bdi>
  ) : null;
}

/** A link's other lines. */
export function Lines({ link }: { link: LinkAnswer }) {
  const names = lineFields.filter((name) => name !== 'title' && link[name]);
  return names.map((name) => (
    <p key={name} class="muted">
      {lines[name].label}: <bdi>{link[name]}</bdi>
    </p>
  ));
}

/** A link's tags. Each leads to the list of links that have it. */
export function Tags({ link: { tags } }: { link: LinkAnswer }) {
  if (!tags) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a class="tag" href={hashOfList(tag)} title={tag}>
            <bdi>{tag}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Says that a link is disabled, and by whom, and when it expires. */
export function LinkBadges({ link }: { link: LinkAnswer }) {
  const { disabled, disabledBy, expiresAt } = link;
  if (!disabled && !expiresAt) return null;
  return (
    <span class="badges">
      {disabled && (
        <span class="badge">{disabledBy === 'operator' ? 'Taken down' : 'Disabled'}</span>
      )}
      {expiresAt && (
        <span class="badge" title={formatTime(expiresAt)}>
          {isExpired(link) ? 'Expired' : `Expires ${formatTime(expiresAt)}`}
        </span>
      )}
    </span>
  );
}

/** Whether visitors are no longer redirected, because the link is disabled or has expired. */
export function isOff(link: LinkAnswer): boolean {
  return link.disabled || isExpired(link);
}

function isExpired({ expiresAt }: LinkAnswer): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.value;
}
