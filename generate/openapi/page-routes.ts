import { noBacklogError } from '../../lib/http/http-error.ts';
import { speculationError } from '../../lib/links/rules/code.ts';
import { backlogAnswerSchema } from '../../lib/live/messages.ts';
import { answer, type Route, type Routes, rejection } from './route.ts';

export const liveRoutes: Routes = {
  'GET /': {
    function: 'serve-page',
    operationId: 'getPage',
    tag: 'Live page',
    summary: 'Open the live page.',
    description: 'The page where users see their links and clicks. It handles sign-in itself.',
    isPublic: true,
    answers: {
      200: {
        description: 'The page.',
        mediaTypes: ['text/html'],
      },
      304: {
        description: "The page has not changed. It has the page's content type, but no body.",
      },
    },
  },
  'GET /assets/{file}': {
    function: 'serve-page',
    operationId: 'getPageFile',
    tag: 'Live page',
    summary: 'Load a file of the live page.',
    description: "A file's name changes with its content, so it may be cached for a year.",
    isPublic: true,
    answers: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/javascript', 'text/css', 'image/svg+xml'],
      },
      404: 'NoFile',
    },
  },
  'GET /live/backlog': {
    function: 'get-backlog',
    tag: 'Live page',
    summary: 'Read the backlog.',
    description:
      'Returns the number of messages waiting to be counted as clicks, and of those set aside ' +
      "because they couldn't be counted. The numbers are a few seconds old. If SQS can't be read, " +
      'they are the last known ones.',
    answers: {
      200: answer('The backlog of the whole stage.', backlogAnswerSchema, {
        some: { waiting: 3, deadLetters: 1, readAt: '2026-11-22T07:00:00.000Z' },
      }),
      400: 'NoParameters',
      503: rejection(
        "The queues haven't been read yet, or the service didn't respond to API Gateway.",
        { neverRead: noBacklogError, unavailable: 'Service Unavailable' },
      ),
    },
  },
};

const redirects: Route['answers'] = {
  302: {
    description: 'A redirect to `Location`.',
    headers: ['Location'],
  },
  403: rejection('The browser looks ahead. It asks again when somebody follows the link.', {
    prefetch: speculationError,
  }),
  404: 'NotFound',
  410: 'Gone',
  503: 'Unavailable',
};

export const visitorRoutes: Routes = {
  'GET /{code}': {
    function: 'resolve-link',
    operationId: 'followLink',
    tag: 'Visitors',
    summary: 'Follow a link.',
    description: "Redirects the visitor and counts the click. Previews and embeds aren't counted.",
    isPublic: true,
    answers: redirects,
  },
  'HEAD /{code}': {
    function: 'resolve-link',
    operationId: 'inspectLink',
    tag: 'Visitors',
    summary: 'See where a link leads.',
    description: "Responds like GET without a body, and doesn't count a click.",
    isPublic: true,
    answers: redirects,
  },
};
