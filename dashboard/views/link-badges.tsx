import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { formatTime } from '../format.ts';
import { now } from '../state/browser.ts';

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
