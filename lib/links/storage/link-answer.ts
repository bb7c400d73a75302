import { dayMs } from '../../days.ts';
import { HttpError } from '../../http/http-error.ts';
import { expected, show } from '../../validation.ts';
import type { LinkAnswer, ListLinksAnswer } from '../api/answer-schemas.ts';
import { pickTexts } from '../rules/link-fields.ts';
import type { Keyed } from './creation-marker.ts';
import { visitorsOf } from './days.ts';
import type { Link } from './links.ts';
import type { ListedLink, OwnedLink } from './owned-links.ts';

/** A link as its owner sees it. */
export function describeLink(origin: string, link: OwnedLink): LinkAnswer {
  const { code, createdAt, updatedAt, clicks, disabled = false, disabledBy, deletedAt } = link;
  const named = { code, shortUrl: `${origin}/${code}`, ...pickTexts(link) };
  const times = { createdAt, updatedAt };
  return { ...named, ...times, clicks, ...visitorsOf(link), disabled, disabledBy, deletedAt };
}

/** A link of a list, with its clicks of today. */
export function describeListedLink(
  origin: string,
  { day: { date, count, numbers }, ...link }: ListedLink,
): ListLinksAnswer['links'][number] {
  return { ...describeLink(origin, link), today: { date, count, ...visitorsOf(numbers) } };
}

/** With `isDeleted`, the caller's own deleted link has the code. */
export function codeTakenError(code: string, isDeleted = false): HttpError {
  const reason = isDeleted
    ? `The code ${code} belongs to a link that you deleted. Restore it, or choose another code.`
    : `The code ${code} is taken. Choose another one, or leave it out.`;
  return new HttpError(409, reason, {}, { code: reason });
}

/** An earlier row or request with this key created a link that isn't there any more. */
export function createdAndDeletedError(keyed: Keyed, code: string): HttpError {
  const reason = `This ${keyed} created the link ${code}, which was deleted. Restore it, or create a new link.`;
  return new HttpError(409, reason);
}

/** An idempotency key came with something else than the first time. */
export function keyReusedError(keyed: Keyed, key: string): HttpError {
  if (keyed === 'row')
    return new HttpError(422, `expected "key" to be a new one; ${key} belongs to another link`);
  const reason = `Expected a new Idempotency-Key; ${key} belongs to a request with another body.`;
  return new HttpError(422, `${reason} Send that body again, or use a new key.`);
}

/** Says when to retry. */
export function quotaExceededError(linksPerDay: number): HttpError {
  const reason = `You've reached your daily limit of ${linksPerDay.toLocaleString('en-US')} links. Attempts to use a taken code count too. Try again tomorrow (UTC).`;
  const retryAfterSeconds = Math.ceil((dayMs - (Date.now() % dayMs)) / 1_000);
  return new HttpError(429, reason, { 'retry-after': `${retryAfterSeconds}` });
}

/** The caller's `expected` values are outdated. */
export function changedError(code: string, { url, expiresAt }: Link): HttpError {
  const expiry = expiresAt === undefined ? 'never expires' : `expires at ${expiresAt}`;
  const reason = `The link with the code ${show(code)} has changed in the meantime.`;
  return new HttpError(409, `${reason} It now leads to ${show(url)} and ${expiry}.`);
}

/** An owner can't undo an operator's action. */
export function takenDownError(code: string): HttpError {
  const reason = `An operator took down the link ${code}. Only an operator can enable it. Until then, you can't change its address or whether it forwards queries.`;
  return new HttpError(403, reason);
}

export function foreignCursorError(cursor?: string): HttpError {
  return new HttpError(400, expected('"cursor"', 'a cursor from an earlier response', cursor));
}
