/** What a viewer is told when something failed, and what to do. */
export interface Problem {
  title: string;
  remedy: string;
  /** The button that helps. */
  action: 'retry' | 'sign-in' | 'back';
}

/** The API refused or failed, or it was not reached: then the status is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the fields of the form for a new link are told; the rest is for the form as a whole. */
export interface FieldProblems {
  url?: string;
  code?: string;
  form?: string;
}

/** Explains an error: what happened, and what to do. */
export function explain(error: unknown): Problem {
  const { status, message } = error instanceof ApiError ? error : new ApiError(0, '');
  if (status === 401) {
    return {
      title: 'Your session has ended.',
      remedy: 'Sign in again to go on where you were.',
      action: 'sign-in',
    };
  }
  if (status === 403) {
    return { title: 'You may not do this.', remedy: message, action: 'back' };
  }
  if (status === 404) {
    return {
      title: 'There is no such link.',
      remedy: 'It may belong to somebody else. Go back to your links.',
      action: 'back',
    };
  }
  if (status === 429) {
    return { title: 'Too many requests.', remedy: waitAndRetry(message), action: 'retry' };
  }
  if (status >= 500) {
    return {
      title: 'The service did not answer as it should.',
      remedy: 'Your clicks are counted all the same. Try again in a moment.',
      action: 'retry',
    };
  }
  if (status >= 400)
    return { title: 'This request was refused.', remedy: message, action: 'retry' };
  return {
    title: 'The service cannot be reached.',
    remedy: 'Check your connection. Your clicks are counted all the same.',
    action: 'retry',
  };
}

/** Puts each sentence of a refusal to the field that it is about. */
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

// The quota's message says when to come back; the throttling's does not.
function waitAndRetry(message: string): string {
  return message === 'Too Many Requests' ? 'Wait a moment, then try again.' : message;
}
