import { parseBody } from '../../lib/http/request.ts';
import { importLinksAnswerSchema } from '../../lib/links/answer-schemas.ts';
import { codeTakenError, quotaExceededError } from '../../lib/links/link-answer.ts';
import { importSchema } from '../../lib/links/link-request.ts';
import {
  answer,
  body,
  code,
  expiresAt,
  type Route,
  readReason,
  refusal,
  shortUrl,
  tokenFailures,
  url,
} from './route.ts';

export const importRoute: Route = {
  method: 'post',
  path: '/links/import',
  function: 'import-links',
  summary: 'Create up to 100 links.',
  description:
    'Creates links, each exactly once: if you repeat a request, for example because its response was ' +
    "lost, the links that exist already aren't created again. A bad link doesn't stop the others. Links " +
    'beyond the daily limit are `over-quota`; send them again the next day (UTC). Taken codes count ' +
    'towards the limit too.',
  body: body(importSchema, {
    rows: {
      links: [
        { key: 'row-1', url, code, expiresAt },
        { key: 'row-2', url },
      ],
    },
  }),
  answers: {
    200: answer('An outcome for each link.', importLinksAnswerSchema, {
      all: {
        outcomes: [
          { outcome: 'created', code, shortUrl },
          { outcome: 'existing', code, shortUrl },
          { outcome: 'refused', message: readReason(() => codeTakenError(code)) },
          { outcome: 'over-quota', message: readReason(() => quotaExceededError(1_000)) },
        ],
      },
    }),
    400: refusal("The body isn't JSON, has no links or too many, or two with the same key.", {
      noLinks: () => parseBody(importSchema, { links: [] }),
      noKey: () => parseBody(importSchema, { links: [{ url }] }),
    }),
    ...tokenFailures,
  },
};
