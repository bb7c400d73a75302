import { json, readJsonBody, readOrigin, withHttpApi } from '../lib/http/http.ts';
import { HttpError } from '../lib/http/http-error.ts';
import type { CreateLinkAnswer } from '../lib/links/answer-schemas.ts';
import { parseNewLink } from '../lib/links/link-request.ts';
import { createLink, createLinkWithNewCode } from '../lib/links/links.ts';

/** POST /links: creates a link, under the owner's own code or a new one. */
export const handler = withHttpApi(async (event) => {
  const { url, code: ownCode } = parseNewLink(readJsonBody(event));
  if (ownCode !== undefined && !(await createLink(ownCode, url))) {
    throw new HttpError(409, `The code ${ownCode} is taken; choose another or leave it out.`);
  }
  const code = ownCode ?? (await createLinkWithNewCode(url));
  const shortUrl = `${readOrigin(event)}/${code}`;
  return json(201, { code, shortUrl, url } satisfies CreateLinkAnswer);
});
