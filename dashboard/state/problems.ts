/** The message for a viewer after a failure, and what to do. */
export interface Problem {
  title: string;
  remedy: string;
  /** The action that the button offers. */
  action: 'retry' | 'sign-in' | 'back';
}

/** The API refused or failed the request. The status is 0 if it wasn't reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Error messages for the fields of the form for a new link. The rest apply to the whole form. */
export interface FieldProblems {
  url?: string;
  code?: string;
  form?: string;
}

export function explain(error: unknown): Problem {
  const { status, message } = error instanceof ApiError ? error : new ApiError(0, '');
  if (status === 401) {
    return {
      title: 'Your session has ended.',
      remedy: 'Sign in again to continue where you left off.',
      action: 'sign-in',
    };
  }
  if (status === 403) {
    return { title: "You don't have permission to do this.", remedy: message, action: 'back' };
  }
  if (status === 404) {
    return {
      title: 'Link not found.',
      remedy: 'It may belong to someone else. Go back to your links.',
      action: 'back',
    };
  }
  if (status === 429) {
    return { title: 'Too many requests.', remedy: waitAndRetry(message), action: 'retry' };
  }
  if (status >= 500) {
    return {
      title: 'The service returned an error.',
      remedy: 'Clicks are still counted. Try again in a moment.',
      action: 'retry',
    };
  }
  if (status >= 400)
    return { title: 'The request was rejected.', remedy: message, action: 'retry' };
  return {
    title: 'The service is unreachable.',
    remedy: 'Check your connection. Clicks are still counted.',
    action: 'retry',
  };
}

/** Assigns each sentence of a rejection to the field that it names. */
export function assignToFields(message: string): FieldProblems {
  const problems: FieldProblems = {};
  for (const sentence of message.split(/; (?=expected (?:url|code) to be )/)) {
    const field = findField(sentence);
    problems[field] = problems[field] ? `${problems[field]} ${sentence}` : sentence;
  }
  return problems;
}

function findField(sentence: string): keyof FieldProblems {
  if (/^expected url /.test(sentence)) return 'url';
  return /^(expected|The) code /.test(sentence) ? 'code' : 'form';
}

// The quota's message says when to retry. Throttling's doesn't.
function waitAndRetry(message: string): string {
  return message === 'Too Many Requests' ? 'Wait a moment, then try again.' : message;
}
