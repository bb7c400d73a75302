import { parseBody, parseQuery } from '../../lib/http/parse-request.ts';
import {
  backlogAnswerSchema,
  runAnswerSchema,
  tryAnswerSchema,
} from '../../lib/live/answer-schemas.ts';
import { noBacklogError, notAllTakenError } from '../../lib/live/live-errors.ts';
import { buildMessages } from '../../lib/live/scenarios.ts';
import { parseRun, runQuerySchema, trySchema } from '../../lib/live/try-request.ts';
import { answer, errorAnswer, functionHeaders, readReason, refusal } from './answers.ts';
import { code } from './examples.ts';
import { body, failures, type Route, tokenFailures } from './route.ts';

const run = '019ab3c4-d5e6-7f80-9a1b-2c3d4e5f6071';
const request = { code, ...{ run, at: new Date('2026-11-22T07:00:00Z') } };
const visit = { headers: {}, isBot: false, platform: 'desktop', referrer: 'direct' };
const { reason } = buildMessages('broken', { ...request, visit });
const setAsideAfter = { attempts: 3, attemptSeconds: 30 };
const onlyWithTryIt = ' Available only on the local stack and on stages with the param tryIt.';

export const liveRoutes: Route[] = [
  {
    method: 'get',
    path: '/',
    operationId: 'serve-page',
    summary: 'Open the live page.',
    description: 'The page where users see their links and clicks. It handles sign-in itself.',
    isPublic: true,
    answers: {
      200: {
        description: 'The page.',
        headers: ['ETag', ...functionHeaders],
        mediaTypes: ['text/html'],
      },
      304: { description: 'The page has not changed.', headers: ['ETag', ...functionHeaders] },
      ...failures,
    },
  },
  {
    method: 'get',
    path: '/assets/{file}',
    operationId: 'serve-page-get',
    summary: 'Load a file of the live page.',
    description: "A file's name changes with its content, so it may be cached for a year.",
    isPublic: true,
    answers: {
      200: {
        description: 'The file.',
        headers: functionHeaders,
        mediaTypes: ['text/javascript', 'text/css', 'image/svg+xml'],
      },
      404: 'NoFile',
      ...failures,
    },
  },
  {
    method: 'get',
    path: '/live/backlog',
    operationId: 'get-backlog',
    summary: 'Read the backlog.',
    description:
      'Returns the number of messages waiting to be counted as clicks, and of those set aside ' +
      "because they couldn't be counted. All callers see the same numbers, a few seconds old. If " +
      "SQS can't be read, they are the last known ones.",
    answers: {
      200: answer('The backlog of the whole stage.', backlogAnswerSchema, {
        some: { waiting: 3, setAside: 1, readAt: '2026-11-22T07:00:00.000Z' },
      }),
      ...tokenFailures,
      503: errorAnswer(
        "The queues haven't been read yet, or the service didn't respond to API Gateway.",
        { neverRead: readReason(noBacklogError), unavailable: 'Service Unavailable' },
      ),
    },
  },
  {
    method: 'post',
    path: '/live/try',
    operationId: 'try-clicks',
    summary: 'Send test clicks.',
    description:
      "Sends clicks to one of the caller's links, which count like any others: one, the same one " +
      `twice, a hundred with ten copies, or a broken one.${onlyWithTryIt}`,
    body: body(trySchema, {
      hundred: { code, scenario: 'hundred' },
      broken: { code, scenario: 'broken' },
    }),
    answers: {
      202: answer('The messages were sent.', tryAnswerSchema, {
        hundred: { run, messages: 110, clicks: 100, ...setAsideAfter },
        broken: { run, messages: 1, clicks: 0, reason, ...setAsideAfter },
      }),
      400: refusal(
        "The body isn't JSON, or a field is invalid. The message names each invalid field.",
        {
          noScenario: () => parseBody(trySchema, { code, scenario: 'all' }),
        },
      ),
      ...tokenFailures,
      404: 'NotOwned',
      503: errorAnswer(
        "The bus didn't accept all messages, or the service didn't respond to API Gateway.",
        {
          refused: readReason(() => notAllTakenError(90, 110)),
          unavailable: 'Service Unavailable',
        },
      ),
    },
  },
  {
    method: 'get',
    path: '/live/try/{run}',
    operationId: 'try-clicks-get',
    summary: 'Read the progress of a run.',
    description: `Returns the number of the run's clicks counted so far.${onlyWithTryIt}`,
    query: runQuerySchema,
    answers: {
      200: answer('The number of clicks counted so far.', runAnswerSchema, {
        most: { counted: 97 },
      }),
      400: refusal('The run or the number of clicks is invalid.', {
        noRun: () => parseRun('last'),
        tooMany: () => parseQuery(runQuerySchema, { clicks: '101' }),
      }),
      ...tokenFailures,
    },
  },
];
