import { HttpError } from '../http/http-error.ts';

export function noBacklogError(): HttpError {
  return new HttpError(503, 'The queues have not been read yet. Try again in a few seconds.');
}
