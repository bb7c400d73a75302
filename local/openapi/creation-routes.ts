import { badRequestSubject } from '../../lib/http/http-error.ts';
import { parseBody } from '../../lib/http/request.ts';
import * as answers from '../../lib/links/answer-schemas.ts';
import * as errors from '../../lib/links/link-answer.ts';
import * as requests from '../../lib/links/link-request.ts';
import { parseJson } from '../../lib/validation.ts';
import {
  answer,
  body,
  code,
  expiresAt,
  policy,
  type Routes,
  readReason,
  refusal,
  shortUrl,
  url,
} from './route.ts';

/** The routes that create links. */
export const creationRoutes: Routes = {
  'POST /links': {
    function: 'create-link',
    summary: 'Create a link.',
    description:
      'Creates a link under your own code or a new one. Requests for codes that are already taken ' +
      'count towards the daily limit too.',
    body: body(requests.newLinkSchema, {
      ownCode: { url, code },
      newCode: { url },
      expiring: { url, expiresAt },
    }),
    answers: {
      201: answer('The link was created.', answers.createLinkAnswerSchema, {
        created: { code, shortUrl, url },
      }),
      400: refusal(
        "The body isn't JSON, or a field is invalid or refused. The message names each such field.",
        {
          noJson: () => parseJson('url=a', badRequestSubject('the body')),
          noUrl: () => requests.parseNewLink({ url: 'example.com' }, policy),
          privateHost: () => requests.parseNewLink({ url: 'http://192.168.0.1/' }, policy),
          past: () => requests.parseNewLink({ url, expiresAt: '2020-05-26T18:00:00Z' }, policy),
          reservedCode: () => requests.parseNewLink({ url, code: 'links' }, policy),
        },
      ),
      409: refusal('The code is taken by another link.', {
        taken: () => errors.codeTakenError(code),
        deleted: () => errors.codeTakenError(code, true),
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
      'towards the limit too.',
    body: body(requests.importSchema, {
      rows: {
        links: [
          { key: 'row-1', url, code, expiresAt },
          { key: 'row-2', url },
        ],
      },
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
      }),
      400: refusal("The body isn't JSON, has no links or too many, or two with the same key.", {
        noLinks: () => parseBody(requests.importSchema, { links: [] }),
        noKey: () => parseBody(requests.importSchema, { links: [{ url }] }),
      }),
    },
  },
};
