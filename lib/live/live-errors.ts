import { HttpError } from '../http/http-error.ts';

/** The answer while nobody has ever read the queues. */
export function noBacklogError(): HttpError {
  return new HttpError(503, 'The queues have not been read yet. Try again in a few seconds.');
}

/** The answer if the bus took only some of the messages. */
export function notAllTakenError(taken: number, all: number): HttpError {
  return new HttpError(503, `The bus took ${taken} of ${all} messages. Try again.`);
}
