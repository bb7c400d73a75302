import { badRequestSubject } from '../../lib/http/http-error.ts';
import { parseBody, parseQuery } from '../../lib/http/request.ts';
import * as answers from '../../lib/links/api/answer-schemas.ts';
import { parseIdempotencyKey } from '../../lib/links/api/creation-key.ts';
import * as requests from '../../lib/links/api/link-request.ts';
import { summarizeDays } from '../../lib/links/storage/days.ts';
import * as errors from '../../lib/links/storage/link-answer.ts';
import { describeDeletion, keptDays } from '../../lib/links/storage/link-deletion.ts';
import { encodeCursor } from '../../lib/links/storage/owned-links.ts';
import { urlCacheSeconds } from '../../lib/redirect/url-cache.ts';
import { parseJson } from '../../lib/validation.ts';
import { keyRoutes, takeKey } from './key-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { liveRoutes, visitorRoutes } from './page-routes.ts';
import { answer, body, completeRoutes, type Routes, readReason, rejection } from './route.ts';

/** No host is the service's own or blocked. */
const policy = { serviceHosts: [], blockedDomains: [] };
const code = 'spring';
const url = 'https://example.com/';
const shortUrl = `https://go.example.com/${code}`;
/** The examples must stay valid until this year. */
const expiresAt = '2035-12-31T23:00:00.000Z';
const cursor = encodeCursor(code);
const deletedAt = '2026-05-26T10:00:00.000Z';
const link = {
  code,
  shortUrl,
  url,
  createdAt: '2026-05-26T09:00:00.000Z',
  clicks: 4,
  people: 3,
  bots: 1,
  disabled: false,
};
const listed = { ...link, today: { date: '2026-05-26', count: 4, people: 3, bots: 1 } };
/** The numbers of four clicks. */
const numbers = { vh: 3, vb: 1, dm: 2, dd: 1, do: 1, rd: 3, r1: 1, h09: 1, h17: 3 };
const day = { date: '2026-05-26', count: 4, numbers };
const stats = { ...link, ...summarizeDays([day]), visitors: 2 };

const linkRoutes: Routes = {
  'POST /links': {
    function: 'create-link',
    summary: 'Create a link.',
    description:
      'Creates a link under your own code or a new one. Requests for codes that are already taken ' +
      'count towards the daily limit too.',
    takesIdempotencyKey: true,
    body: body(requests.newLinkSchema, {
      ownCode: { url, code },
      newCode: { url },
      expiring: { url, expiresAt },
    }),
    answers: {
      201: {
        ...answer('The link was created.', answers.createLinkAnswerSchema, {
          created: { code, shortUrl, url },
        }),
        headers: ['Idempotent-Replayed'],
      },
      400: rejection(
        "The body isn't JSON, or a field or the Idempotency-Key is invalid or rejected. The message names each.",
        {
          badKey: () => parseIdempotencyKey('#1'),
          noJson: () => parseJson('url=a', badRequestSubject('the body')),
          noUrl: () => requests.parseNewLink({ url: 'example.com' }, policy),
          privateHost: () => requests.parseNewLink({ url: 'http://192.168.0.1/' }, policy),
          past: () => requests.parseNewLink({ url, expiresAt: '2020-05-26T18:00:00Z' }, policy),
          reservedCode: () => requests.parseNewLink({ url, code: 'links' }, policy),
        },
      ),
      409: rejection(
        'The code is taken by another link, or the link of the Idempotency-Key was deleted.',
        {
          taken: () => errors.codeTakenError(code),
          deleted: () => errors.codeTakenError(code, true),
          createdAndDeleted: () => errors.createdAndDeletedError('request', code),
        },
      ),
      422: rejection('The Idempotency-Key belongs to a request with another body.', {
        reused: () => errors.keyReusedError('request', 'order-1'),
      }),
    },
  },
  'POST /links/import': {
    function: 'import-links',
    summary: 'Create up to 100 links.',
    description:
      'Creates links, each exactly once: if you repeat a request, for example because its response was ' +
      "lost, the links that exist already aren't created again. A bad link doesn't stop the others. Links " +
      'beyond the daily limit are `over-quota`; send them again the next day (UTC). Taken codes count ' +
      'towards the limit too. Each link follows the rules of a single creation with an Idempotency-Key. A dry ' +
      'run creates nothing.',
    body: body(requests.importSchema, {
      rows: {
        links: [
          { key: 'row-1', url, code, expiresAt },
          { key: 'row-2', url },
        ],
      },
      dryRun: { links: [{ key: 'row-1', url }], dryRun: true },
    }),
    answers: {
      200: answer('An outcome for each link.', answers.importLinksAnswerSchema, {
        all: {
          outcomes: [
            { outcome: 'created', code, shortUrl },
            { outcome: 'existing', code, shortUrl },
            { outcome: 'refused', message: readReason(() => errors.codeTakenError(code)) },
            { outcome: 'over-quota', message: readReason(() => errors.quotaExceededError(1_000)) },
          ],
        },
        dryRun: { outcomes: [{ outcome: 'ready' }], remaining: 1_000 },
      }),
      400: rejection("The body isn't JSON, has no links or too many, or two with the same key.", {
        noLinks: () => parseBody(requests.importSchema, { links: [] }),
        noKey: () => parseBody(requests.importSchema, { links: [{ url }] }),
      }),
    },
  },
  'GET /links': {
    function: 'list-links',
    summary: 'List your links.',
    description:
      "Lists the caller's links, newest first, with their clicks of all time and of the current UTC day. " +
      'A new link may take a moment to appear. A page has up to 1 MB of JSON, so it may have fewer links ' +
      'than the limit: follow the cursor. As CSV, only the first page has the names of the columns, ' +
      'so the pages make one file.',
    query: requests.listQuerySchema,
    answers: {
      200: {
        ...answer('A page of links.', answers.listLinksAnswerSchema, {
          more: { links: [listed], cursor },
          last: { links: [{ ...listed, disabled: true, disabledBy: 'owner' }] },
          none: { links: [] },
        }),
        headers: ['Link'],
        mediaTypes: ['text/csv'],
      },
      400: rejection(
        "The limit is invalid, the cursor isn't from an earlier response to the caller, or a parameter " +
          "doesn't exist.",
        {
          badLimit: () => parseQuery(requests.listQuerySchema, { limit: '0' }),
          unknownParameter: () => parseQuery(requests.listQuerySchema, { page: '2' }),
          badCursor: () => errors.foreignCursorError(cursor),
        },
      ),
    },
  },
  'PATCH /links/{code}': {
    function: 'update-link',
    summary: 'Edit, disable or enable a link.',
    description:
      "Changes the fields of one of the caller's links that the body has. Its clicks stay. Visitors may " +
      `still be redirected to the previous URL for ${urlCacheSeconds} seconds. A new expiry revives an ` +
      'expired link at once. Only operators can change a link without an owner.',
    body: body(requests.linkUpdateSchema, {
      edit: { url, expected: { url: 'https://example.com/old' } },
      expire: { expiresAt },
      neverExpire: { expiresAt: null },
      disable: { disabled: true },
      enable: { disabled: false },
    }),
    answers: {
      200: answer('The link after the change.', answers.linkAnswerSchema, {
        disabled: { ...link, disabled: true, disabledBy: 'owner' },
        enabled: link,
        expiring: { ...link, expiresAt },
      }),
      400: rejection("The body isn't JSON, or isn't a valid change.", {
        noUpdate: () => requests.parseLinkUpdate({}, policy),
        noBoolean: () => requests.parseLinkUpdate({ disabled: 'yes' }, policy),
        privateHost: () => requests.parseLinkUpdate({ url: 'http://192.168.0.1/' }, policy),
      }),
      403: rejection(
        "An operator took down the link, so its owner can't enable it or change where it leads. Or the token " +
          "doesn't have the scope, and API Gateway responds without invoking a function.",
        { takenDown: () => errors.takenDownError(code), noScope: 'Forbidden' },
      ),
      404: 'NotOwned',
      409: rejection("The link doesn't have the expected values. Nothing changed.", {
        changed: () => errors.changedError(code, link),
      }),
    },
  },
  'GET /links/{code}/stats': {
    function: 'get-link-stats',
    summary: "Read a link's clicks.",
    description:
      "Reads a link's total clicks, its clicks by UTC day, and the breakdowns of these days. A " +
      "click takes a moment to count. The range is inclusive, and doesn't limit the total. As CSV, each " +
      'day has a line with its clicks and those of each breakdown.',
    query: requests.statsQuerySchema,
    answers: {
      200: {
        ...answer("The link's clicks.", answers.getLinkStatsAnswerSchema, { counted: stats }),
        mediaTypes: ['text/csv'],
      },
      400: rejection(
        "A date is invalid, the range ends before it begins, or a parameter doesn't exist.",
        {
          noDate: () => parseQuery(requests.statsQuerySchema, { from: 'yesterday' }),
          unknownParameter: () => parseQuery(requests.statsQuerySchema, { timezone: 'UTC' }),
        },
      ),
      404: 'NotOwned',
    },
  },
  'DELETE /links/{code}': {
    function: 'delete-link',
    summary: 'Delete a link.',
    description:
      `Deletes one of the caller's links. Visitors get 404, some of them only after ${urlCacheSeconds} ` +
      `seconds. For ${keptDays} days, its code can't be used again and it can be restored. Then it's gone ` +
      "with all its clicks. Deleting a link again changes nothing. It doesn't raise the daily limit.",
    answers: {
      200: answer('The link is deleted.', answers.deleteLinkAnswerSchema, {
        deleted: describeDeletion({ code, deletedAt }),
      }),
      400: 'NoParameters',
      404: 'NotOwned',
    },
  },
  'POST /links/{code}/restore': {
    function: 'delete-link',
    operationId: 'restoreLink',
    summary: 'Restore a deleted link.',
    description:
      "Restores one of the caller's deleted links with its clicks. Restoring it again changes nothing.",
    answers: {
      200: answer('The restored link.', answers.linkAnswerSchema, {
        restored: link,
      }),
      400: 'NoParameters',
      404: 'NotOwned',
    },
  },
};

const programRoutes = completeRoutes({ ...linkRoutes, ...overviewRoutes });
/** The routes that serverless.yml gives to the functions. */
export const routes = [
  ...programRoutes,
  ...programRoutes.map(takeKey),
  ...completeRoutes({ ...keyRoutes, ...liveRoutes, ...visitorRoutes }),
];
