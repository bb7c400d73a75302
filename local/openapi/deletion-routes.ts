import { deleteLinkAnswerSchema, linkAnswerSchema } from '../../lib/links/answer-schemas.ts';
import { describeDeletion, keptDays } from '../../lib/links/link-deletion.ts';
import { urlCacheSeconds } from '../../lib/links/link-update.ts';
import { answer, code, type Route, shortUrl, tokenFailures, url } from './route.ts';

const deletedAt = '2026-05-26T10:00:00.000Z';

export const deletionRoutes: Route[] = [
  {
    method: 'delete',
    path: '/links/{code}',
    function: 'delete-link',
    summary: 'Delete a link.',
    description:
      `Deletes one of the caller's links. Visitors get 404, some of them only after ${urlCacheSeconds} ` +
      `seconds. For ${keptDays} days, its code can't be used again and it can be restored. Then it's gone ` +
      "with all its clicks. Deleting a link again changes nothing. It doesn't raise the daily limit.",
    answers: {
      200: answer('The link is deleted.', deleteLinkAnswerSchema, {
        deleted: describeDeletion({ code, deletedAt }),
      }),
      ...tokenFailures,
      404: 'NotOwned',
    },
  },
  {
    method: 'post',
    path: '/links/{code}/restore',
    function: 'delete-link',
    operationId: 'restoreLink',
    summary: 'Restore a deleted link.',
    description:
      "Restores one of the caller's deleted links with its clicks. Restoring it again changes nothing.",
    answers: {
      200: answer('The restored link.', linkAnswerSchema, {
        restored: {
          ...{ code, shortUrl, url, createdAt: '2026-05-26T09:00:00.000Z', clicks: 4 },
          ...{ people: 3, bots: 1, disabled: false },
        },
      }),
      ...tokenFailures,
      404: 'NotOwned',
    },
  },
];
