import { HttpError, invalidKeyError, noFileError, readOnlyKeyError, tooManyRequestsError, } from '../../lib/http/http-error.ts';
import { refuseQuery } from '../../lib/http/request.ts';
import { errorAnswerSchema } from '../../lib/links/api/answer-schemas.ts';
import { expiredError, goneError, notFoundError, unavailableError, } from '../../lib/links/rules/code.ts';
import { quotaExceededError, takenDownError } from '../../lib/links/storage/link-answer.ts';
/** Groups of operations. */
export const tags = {
    Links: "The caller's links, and their clicks.",
    'API keys': 'Keys for programs.',
    'Live page': 'The page and what it shows besides links.',
    Visitors: 'What visitors of a link get.',
};
/** The headers that clients may need. A required one is in every response that lists it. */
export const headers = {
    Link: {
        description: 'The path of the next page of CSV, if there is one.',
        required: false,
        schema: { type: 'string', pattern: '^</(api/)?links[?].*>; rel="next"$' },
        example: '</links?format=csv&limit=100&cursor=c3ByaW5n>; rel="next"',
    },
    Location: {
        description: "The link's URL.",
        required: true,
        schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' },
        example: 'https://example.com/',
    },
    'Retry-After': {
        description: 'Seconds until the next minute or, for the daily limit, until the next UTC day.',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 86400 },
        example: 3600,
    },
    'WWW-Authenticate': {
        description: 'The reason the token was rejected.',
        required: true,
        schema: { type: 'string', pattern: '^Bearer' },
        example: 'Bearer scope="" error="invalid_token" error_description="the token has expired"',
    },
};
/** A response with its own body. The compiler checks the examples. */
export function answer(description, schema, examples) {
    return { description, schema, examples };
}
/** An error. An example is a message of API Gateway, or code that fails with a function's. */
export function refusal(description, examples, headers) {
    return {
        description,
        headers,
        schema: errorAnswerSchema,
        examples: mapValues(examples, (example) => ({
            message: typeof example === 'string' ? example : readReason(example),
        })),
    };
}
export function mapValues(values, map) {
    const entries = Object.entries(values).map(([name, value]) => [name, map(value)]);
    return Object.fromEntries(entries);
}
/** The message of the error that a function throws or returns. */
export function readReason(run) {
    try {
        const returned = run();
        if (returned instanceof HttpError)
            return returned.message;
    }
    catch (error) {
        if (error instanceof HttpError)
            return error.message;
        throw error;
    }
    throw new Error('expected an example of a refusal to throw or return an HttpError; got none');
}
const pageOrJson = 'The response is a page in English or German, or JSON if the client accepts only JSON.';
/** Responses shared by several routes. */
export const sharedAnswers = {
    NoParameters: refusal('The query has a parameter, and this route has none.', {
        page: () => refuseQuery({ page: '2' }),
    }),
    Unauthorized: refusal('The token is missing or invalid. API Gateway responds without invoking a function.', { noValidToken: 'Unauthorized' }, ['WWW-Authenticate']),
    Forbidden: refusal("The token is valid but doesn't have the scope. ID tokens never do. API Gateway responds " +
        'without invoking a function.', { noScope: 'Forbidden' }, ['WWW-Authenticate']),
    InvalidKey: refusal('The API key is missing, malformed, unknown, revoked or expired.', { noValidKey: invalidKeyError }, ['WWW-Authenticate']),
    ReadOnlyKey: refusal('The key may only read, or an operator took down the link.', {
        readOnly: readOnlyKeyError,
        takenDown: () => takenDownError('spring'),
    }),
    NoFile: refusal("The file doesn't exist.", { unknownFile: noFileError }),
    NotFound: {
        ...refusal(`A link with this code doesn't exist. ${pageOrJson}`, {
            unknownCode: () => notFoundError('nowhere'),
        }),
        mediaTypes: ['text/html'],
    },
    NotOwned: refusal("A link with this code doesn't exist, or it belongs to someone else.", {
        unknownCode: () => notFoundError('nowhere'),
    }),
    Gone: {
        ...refusal(`The link is disabled or has expired. ${pageOrJson}`, {
            disabled: () => goneError('spring'),
            expired: () => expiredError('spring'),
        }),
        mediaTypes: ['text/html'],
    },
    Unavailable: {
        ...refusal(`The link can't be looked up, or the service didn't respond to API Gateway. ${pageOrJson}`, { unread: () => unavailableError('spring'), unavailable: 'Service Unavailable' }),
        mediaTypes: ['text/html'],
    },
    TooManyRequests: refusal('The API is throttled. Try again later.', {
        throttled: 'Too Many Requests',
    }),
    TooManyOwnerRequests: refusal('The caller has sent too many requests in this minute or created too many links today, or the ' +
        'API is throttled.', {
        overQuota: () => quotaExceededError(1000),
        tooMany: () => tooManyRequestsError(1200, 48),
        throttled: 'Too Many Requests',
    }, ['Retry-After']),
    InternalServerError: refusal('The service failed. The reason is in its log.', {
        failed: 'Internal Server Error',
    }),
    ServiceUnavailable: refusal("The service didn't respond to API Gateway. Try again later.", {
        unavailable: 'Service Unavailable',
    }),
};
/** Errors of every route. */
const failures = {
    429: 'TooManyRequests',
    500: 'InternalServerError',
    503: 'ServiceUnavailable',
};
/** Errors of every route that needs a token. */
const tokenFailures = {
    ...failures,
    401: 'Unauthorized',
    403: 'Forbidden',
    429: 'TooManyOwnerRequests',
};
/** Adds what routes have by default. */
export function completeRoutes(routes) {
    return Object.entries(routes).map(([routeKey, { answers, ...route }]) => ({
        operationId: route.function.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
        tag: 'Links',
        ...route,
        routeKey,
        answers: { ...(route.isPublic ? failures : tokenFailures), ...answers },
    }));
}
/** A request's body. The compiler checks the examples. */
export function body(schema, examples) {
    return { schema, examples };
}
