import { HttpError } from '../http/http-error.ts';

export function noBacklogError(): HttpError {
  return new HttpError(503, 'The queues have not been read yet. Try again in a few seconds.');
}

export function notAllTakenError(taken: number, all: number): HttpError {
  return new HttpError(503, `The bus accepted ${taken} of ${all} messages. Try again.`);
}
