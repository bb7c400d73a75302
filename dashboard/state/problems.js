/** The status of a request that the API didn't answer in time. */
export const timeoutStatus = 504;
const countedAnyway = 'Clicks are still counted. Try again in a moment.';
/** The API refused or failed the request. The status is 0 if it wasn't reached. */
export class ApiError extends Error {
    name = 'ApiError';
    status;
    fields;
    constructor(status, message, fields) {
        super(message);
        this.status = status;
        this.fields = fields;
    }
}
/** Without a remedy of its own, a problem has the API's message. */
const problems = {
    0: ["The service can't be reached.", 'retry', 'Check your connection. Clicks are still counted.'],
    401: ['Your session has ended.', 'sign-in', 'Sign in again to continue where you left off.'],
    403: ["You can't do this.", 'back'],
    404: ['Link not found.', 'back', 'It may belong to someone else. Go back to your links.'],
    429: ['Too many requests.', 'retry'],
    500: ["Your numbers couldn't be loaded.", 'retry', countedAnyway],
    [timeoutStatus]: ['The service takes too long to respond.', 'retry', countedAnyway],
};
export function explain(error) {
    const { status, message } = toApiError(error);
    const others = status > 500 ? problems[500] : undefined;
    const [title, action, remedy = message] = problems[status] ??
        others ?? ["That didn't work.", 'retry'];
    // The quota's message says when to retry. Throttling's doesn't.
    const isThrottled = remedy === 'Too Many Requests';
    return { title, action, remedy: isThrottled ? 'Wait a moment, then try again.' : remedy };
}
function toApiError(error) {
    return error instanceof ApiError ? error : new ApiError(0, '');
}
/** What is known of a change, such as "the link was deleted", if no answer came. */
export function unconfirmed(change) {
    return `The service didn't confirm it, so we don't know yet whether ${change}.`;
}
/** Explains why something that the viewer wanted, such as "The link wasn't created.", didn't happen. */
export function explainAction(outcome, error) {
    const { title, remedy } = explain(error);
    const { status } = toApiError(error);
    if (status >= 500)
        return `${outcome} Try again.`;
    if (status === 0)
        return `${outcome} Check your connection, then try again.`;
    return status === 401 ? `${title} ${remedy}` : remedy;
}
/** Whether the API may have done what it was asked, although its answer is missing. */
export function isInDoubt(error) {
    return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
/** A failed form's messages: the API's by field or, if it has none, one for the whole form. */
export function toFields(outcome, error) {
    if (error instanceof ApiError && error.fields)
        return error.fields;
    return { form: explainAction(outcome, error) };
}
