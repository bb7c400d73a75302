import { HttpError } from '../http/http-error.ts';

/** The error while the queues have never been read. */
export function noBacklogError(): HttpError {
  return new HttpError(503, 'The queues have not been read yet. Try again in a few seconds.');
}

/** The error if the bus accepted only some of the messages. */
export function notAllTakenError(taken: number, all: number): HttpError {
  return new HttpError(503, `The bus accepted ${taken} of ${all} messages. Try again.`);
}
