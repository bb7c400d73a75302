import { HttpError } from '../http/http-error.ts';
import { type KeyRefusal, keysPerUser } from './api-keys.ts';

/** Why a key wasn't created, and what to do. */
export function keyRefusalError(refusal: KeyRefusal): HttpError {
  if (refusal === 'removed-user') return new HttpError(403, 'An operator has removed this user.');
  if (refusal === 'too-many') {
    return new HttpError(409, `You already have ${keysPerUser} API keys. Revoke one first.`);
  }
  const message = 'You already have an API key with this name. Revoke it, or choose another name.';
  return new HttpError(409, message, {}, { name: message });
}

export function unknownKeyError(): HttpError {
  return new HttpError(404, "You don't have an API key with this id. It may already be revoked.");
}
