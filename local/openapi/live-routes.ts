import { errorAnswerSchema } from '../../lib/links/answer-schemas.ts';
import {
  backlogAnswerSchema,
  runAnswerSchema,
  tryAnswerSchema,
} from '../../lib/live/answer-schemas.ts';
import { noBacklogError, notAllTakenError } from '../../lib/live/live-errors.ts';
import { buildMessages } from '../../lib/live/scenarios.ts';
import {
  parseRun,
  parseRunQuery,
  parseTry,
  runQuerySchema,
  trySchema,
} from '../../lib/live/try-request.ts';
import { answer, functionHeaders, readReason, refusal } from './answers.ts';
import { body, failures, type Route, tokenFailures } from './route.ts';

const code = 'spring';
const run = '019ab3c4-d5e6-7f80-9a1b-2c3d4e5f6071';
const request = { code, ...{ run, at: new Date('2026-11-22T07:00:00Z') } };
const visit = { headers: {}, isBot: false, platform: 'desktop', referrer: 'direct' };
const { reason } = buildMessages('broken', { ...request, visit });
const setAsideAfter = { attempts: 3, attemptSeconds: 30 };
const onlyWithTryIt = ' Only on the local stack and on stages with the param tryIt.';

/** The routes of the live page. */
export const liveRoutes: Route[] = [
  {
    method: 'get',
    path: '/',
    operationId: 'serve-page',
    summary: 'Open the live page.',
    description: 'The page on which people see their links and clicks. It signs them in itself.',
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
    description: 'The name of a file changes with its content, so it may be kept for a year.',
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
    summary: 'See how many messages wait.',
    description:
      'Counts the messages that wait to be counted as clicks, and those that are set aside because ' +
      'they could not be. All callers see the same numbers, which are a few seconds old; if SQS ' +
      'cannot be read, the last known ones.',
    answers: {
      200: answer('The backlog of the whole stage.', backlogAnswerSchema, {
        some: { waiting: 3, setAside: 1, readAt: '2026-11-22T07:00:00.000Z' },
      }),
      ...tokenFailures,
      503: {
        description: 'Nobody has read the queues yet, or API Gateway got no answer.',
        schema: errorAnswerSchema,
        examples: {
          neverRead: { message: readReason(noBacklogError) },
          unavailable: { message: 'Service Unavailable' },
        },
      },
    },
  },
  {
    method: 'post',
    path: '/live/try',
    operationId: 'try-clicks',
    summary: 'Try some clicks.',
    description:
      'Sends clicks of a link of the caller, which count like any others: one, the same one ' +
      `twice, a hundred with ten copies, or a broken one.${onlyWithTryIt}`,
    body: body(trySchema, {
      hundred: { code, scenario: 'hundred' },
      broken: { code, scenario: 'broken' },
    }),
    answers: {
      202: answer('The messages are on their way.', tryAnswerSchema, {
        hundred: { run, messages: 110, clicks: 100, ...setAsideAfter },
        broken: { run, messages: 1, clicks: 0, reason, ...setAsideAfter },
      }),
      400: refusal('The body is not JSON, or a field is invalid. The message names each.', {
        noScenario: () => parseTry({ code, scenario: 'all' }),
      }),
      ...tokenFailures,
      404: 'NotOwned',
      503: {
        description: 'The bus did not take all messages, or API Gateway got no answer.',
        schema: errorAnswerSchema,
        examples: {
          refused: { message: readReason(() => notAllTakenError(90, 110)) },
          unavailable: { message: 'Service Unavailable' },
        },
      },
    },
  },
  {
    method: 'get',
    path: '/live/try/{run}',
    operationId: 'try-clicks-get',
    summary: 'See how many clicks of a run are counted.',
    description: `Counts the clicks of a run that are counted so far.${onlyWithTryIt}`,
    query: runQuerySchema,
    answers: {
      200: answer('The clicks that are counted.', runAnswerSchema, { most: { counted: 97 } }),
      400: refusal('The run or the number of clicks is invalid.', {
        noRun: () => parseRun('last'),
        tooMany: () => parseRunQuery({ clicks: '101' }),
      }),
      ...tokenFailures,
    },
  },
];
