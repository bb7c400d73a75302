/** The message for a viewer after a failure, and what to do. */
export interface Problem {
  title: string;
  remedy: string;
  /** The action that the button offers. */
  action: 'retry' | 'sign-in' | 'back';
}

/** Error messages by a form's field. */
export type FieldProblems = Readonly<Record<string, string>>;

/** The status of a request that the API didn't answer in time. */
export const timeoutStatus = 504;

const countedAnyway = 'Clicks are still counted. Try again in a moment.';
const outage =
  "The service isn't available at the moment. Until it is, links can't be created or changed.";

/** The API rejected or failed the request. The status is 0 if it wasn't reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly fields?: FieldProblems;
  /** When to try again, if the API says so. */
  readonly retryAfterSeconds?: number;

  constructor(status: number, message: string, fields?: FieldProblems, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Without a remedy of its own, a problem has the API's message. */
const problems: Readonly<
  Record<number, [title: string, action: Problem['action'], remedy?: string]>
> = {
  0: ["The service can't be reached.", 'retry', 'Check your connection. Clicks are still counted.'],
  401: ['Your session has ended.', 'sign-in', 'Sign in again to continue where you left off.'],
  403: ["You can't do this.", 'back'],
  404: ['Link not found.', 'back', 'It may belong to someone else. Go back to your links.'],
  429: ['Too many requests.', 'retry'],
  500: ["Your numbers couldn't be loaded.", 'retry', countedAnyway],
  503: ["Your numbers couldn't be loaded.", 'retry', `${outage} Clicks are still counted.`],
  [timeoutStatus]: ['The service takes too long to respond.', 'retry', countedAnyway],
};

export function explain(error: unknown): Problem {
  const { status, message } = toApiError(error);
  const others = isOutage(status) ? problems[503] : undefined;
  const [title, action, remedy = message] = problems[status] ??
    others ?? ["That didn't work.", 'retry'];
  // The quota's message says when to retry. Throttling's doesn't.
  const isThrottled = remedy === 'Too Many Requests';
  return { title, action, remedy: isThrottled ? 'Wait a moment, then try again.' : remedy };
}

/** Whether DynamoDB fails or, behind CloudFront, nothing answers. A single failure is a 500. */
function isOutage(status: number): boolean {
  return status > 500;
}

function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, '');
}

/** What is known of a change, such as "the link was deleted", if no answer came. */
export function unconfirmed(change: string): string {
  return `The service didn't confirm it, so we don't know yet whether ${change}.`;
}

/** Explains why something that the viewer wanted, such as "The link wasn't created.", didn't happen. */
export function explainAction(outcome: string, error: unknown): string {
  const { title, remedy } = explain(error);
  const { status } = toApiError(error);
  if (isOutage(status)) return `${outcome} ${outage} Try again later.`;
  if (status === 500) return `${outcome} Try again.`;
  if (status === 0) return `${outcome} Check your connection, then try again.`;
  return status === 401 ? `${title} ${remedy}` : remedy;
}

/** Whether the API may have done what it was asked, although its answer is missing. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** Whether the link doesn't exist, or no longer. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** A failed form's messages: the API's by field or, if it has none, one for the whole form. */
export function toFields(outcome: string, error: unknown): FieldProblems {
  if (error instanceof ApiError && error.fields) return error.fields;
  return { form: explainAction(outcome, error) };
}
