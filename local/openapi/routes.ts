import { badRequestSubject, tooManyRequestsError } from '../../lib/http/http-error.ts';
import { parseQuery } from '../../lib/http/request.ts';
import {
  createLinkAnswerSchema,
  getLinkStatsAnswerSchema,
  linkAnswerSchema,
  listLinksAnswerSchema,
} from '../../lib/links/answer-schemas.ts';
import { summarizeDays } from '../../lib/links/days.ts';
import {
  changedError,
  codeTakenError,
  foreignCursorError,
  quotaExceededError,
  takenDownError,
} from '../../lib/links/link-answer.ts';
import {
  linkUpdateSchema,
  listQuerySchema,
  newLinkSchema,
  parseLinkUpdate,
  parseNewLink,
  statsQuerySchema,
} from '../../lib/links/link-request.ts';
import { urlCacheSeconds } from '../../lib/links/link-update.ts';
import { encodeCursor } from '../../lib/links/owned-links.ts';
import { parseJson } from '../../lib/validation.ts';
import { deletionRoutes } from './deletion-routes.ts';
import { importRoute } from './import-route.ts';
import { keyRoutes, takeKeys } from './key-routes.ts';
import { liveRoutes, visitorRoutes } from './page-routes.ts';
import {
  answer,
  body,
  code,
  errorAnswer,
  expiresAt,
  type Route,
  readReason,
  refusal,
  shortUrl,
  tokenFailures,
  url,
} from './route.ts';

const cursor = encodeCursor(code);

/** The policy that rejects the links in the examples. */
const policy = { serviceHosts: ['go.example.com'], blockedDomains: ['blocked.example'] };
const link = {
  ...{ code, shortUrl, url, createdAt: '2026-05-26T09:00:00.000Z', clicks: 4 },
  ...{ people: 3, bots: 1, disabled: false },
};
const listed = { ...link, today: { date: '2026-05-26', count: 4, people: 3, bots: 1 } };
/** The numbers of four clicks. */
const numbers = { vh: 3, vb: 1, dm: 2, dd: 1, do: 1, rd: 3, r01: 1, h09: 1, h17: 3 };
const stats = {
  ...link,
  ...summarizeDays([{ date: '2026-05-26', count: 4, numbers }]),
};

const linkRoutes: Route[] = [
  {
    method: 'post',
    path: '/links',
    function: 'create-link',
    summary: 'Create a link.',
    description:
      'Creates a link under your own code or a new one. Requests for codes that are already taken ' +
      'count towards the daily limit too.',
    body: body(newLinkSchema, {
      ownCode: { url, code },
      newCode: { url },
      expiring: { url, expiresAt },
    }),
    answers: {
      201: answer('The link was created.', createLinkAnswerSchema, {
        created: { code, shortUrl, url },
      }),
      400: refusal(
        "The body isn't JSON, or a field is invalid or refused. The message names each such field.",
        {
          noJson: () => parseJson('url=a', badRequestSubject('the body')),
          noUrl: () => parseNewLink({ url: 'example.com' }, policy),
          privateHost: () => parseNewLink({ url: 'http://192.168.0.1/' }, policy),
          ownHost: () => parseNewLink({ url: shortUrl }, policy),
          blockedDomain: () => parseNewLink({ url: 'https://www.blocked.example/' }, policy),
          noTimeZone: () => parseNewLink({ url, expiresAt: '2026-05-26T18:00:00' }, policy),
          past: () => parseNewLink({ url, expiresAt: '2020-05-26T18:00:00Z' }, policy),
          tooLate: () => parseNewLink({ url, expiresAt: '9999-12-31T23:59:59Z' }, policy),
          reservedCode: () => parseNewLink({ url, code: 'links' }, policy),
        },
      ),
      ...tokenFailures,
      409: refusal('The code is taken by another link.', {
        taken: () => codeTakenError(code),
        deleted: () => codeTakenError(code, true),
      }),
      429: errorAnswer(
        'The caller has reached the daily limit of links or sent too many requests, or the API is ' +
          'throttled.',
        {
          overQuota: readReason(() => quotaExceededError(1_000)),
          tooMany: readReason(() => tooManyRequestsError(1_200, 48)),
          throttled: 'Too Many Requests',
        },
        ['Retry-After'],
      ),
    },
  },
  importRoute,
  {
    method: 'get',
    path: '/links',
    function: 'list-links',
    summary: 'List your links.',
    description:
      "Lists the caller's links, newest first, with their clicks of all time and of the current UTC day. " +
      'A new link may take a moment to appear. As CSV, only the first page has the names of the columns, ' +
      'so the pages make one file.',
    query: listQuerySchema,
    answers: {
      200: {
        ...answer('A page of links.', listLinksAnswerSchema, {
          more: { links: [listed], cursor },
          last: { links: [{ ...listed, disabled: true, disabledBy: 'owner' }] },
          none: { links: [] },
        }),
        headers: ['Link'],
        mediaTypes: ['text/csv'],
      },
      400: refusal(
        "The limit is invalid, or the cursor isn't from an earlier response to the caller.",
        {
          badLimit: () => parseQuery(listQuerySchema, { limit: '0' }),
          badCursor: () => foreignCursorError(cursor),
        },
      ),
      ...tokenFailures,
    },
  },
  {
    method: 'patch',
    path: '/links/{code}',
    function: 'update-link',
    summary: 'Edit, disable or enable a link.',
    description:
      "Changes the fields of one of the caller's links that the body has. Its clicks stay. Visitors may " +
      `still be redirected to the previous URL for ${urlCacheSeconds} seconds. A new expiry revives an ` +
      'expired link at once. Only operators can change a link without an owner.',
    body: body(linkUpdateSchema, {
      edit: { url, expected: { url: 'https://example.com/old' } },
      expire: { expiresAt },
      neverExpire: { expiresAt: null },
      disable: { disabled: true },
      enable: { disabled: false },
    }),
    answers: {
      200: answer('The link after the change.', linkAnswerSchema, {
        disabled: { ...link, disabled: true, disabledBy: 'owner' },
        enabled: link,
        expiring: { ...link, expiresAt },
      }),
      400: refusal("The body isn't JSON, or isn't a valid change.", {
        noUpdate: () => parseLinkUpdate({}, policy),
        noBoolean: () => parseLinkUpdate({ disabled: 'yes' }, policy),
        privateHost: () => parseLinkUpdate({ url: 'http://192.168.0.1/' }, policy),
      }),
      ...tokenFailures,
      403: errorAnswer(
        "An operator took down the link, so its owner can't enable it or change its URL. Or the token " +
          "doesn't have the scope, and API Gateway responds without invoking a function.",
        { takenDown: readReason(() => takenDownError(code)), noScope: 'Forbidden' },
      ),
      404: 'NotOwned',
      409: refusal("The link doesn't have the expected values. Nothing changed.", {
        changed: () => changedError(code, link),
      }),
    },
  },
  {
    method: 'get',
    path: '/links/{code}/stats',
    function: 'get-link-stats',
    summary: "Read a link's clicks.",
    description:
      "Reads a link's total clicks, its clicks by UTC day, and the breakdowns of these days. A " +
      "click takes a moment to count. The range is inclusive, and doesn't limit the total. As CSV, each " +
      'day has a line with its clicks and those of each breakdown.',
    query: statsQuerySchema,
    answers: {
      200: {
        ...answer("The link's clicks.", getLinkStatsAnswerSchema, { counted: stats }),
        mediaTypes: ['text/csv'],
      },
      400: refusal('A date is invalid, or the range ends before it begins.', {
        noDate: () => parseQuery(statsQuerySchema, { from: 'yesterday' }),
      }),
      ...tokenFailures,
      404: 'NotOwned',
    },
  },
  ...deletionRoutes,
];

/** The routes that serverless.yml gives to the functions. */
export const routes: Route[] = [
  ...linkRoutes,
  ...takeKeys(linkRoutes),
  ...keyRoutes,
  ...liveRoutes,
  ...visitorRoutes,
];
