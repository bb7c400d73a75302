import { readLinkPolicy } from '../lib/config.ts';
import { readHost } from '../lib/domain.ts';
import { HttpError, json, readJsonBody, readOrigin, withHttpApi } from '../lib/http/http.ts';
import { parseNewLink } from '../lib/links/link-request.ts';
import { createLink, createLinkWithNewCode } from '../lib/links/links.ts';

const { serviceHosts, blockedDomains } = readLinkPolicy();

/** POST /links: creates a link, under the owner's own code or a new one. */
export const handler = withHttpApi(async (event) => {
  const origin = readOrigin(event);
  const { url, code: ownCode } = parseNewLink(readJsonBody(event), {
    serviceHosts: [...serviceHosts, readHost(origin)],
    blockedDomains,
  });
  if (ownCode !== undefined && !(await createLink(ownCode, url))) {
    throw new HttpError(409, `The code ${ownCode} is taken; choose another or leave it out.`);
  }
  const code = ownCode ?? (await createLinkWithNewCode(url));
  return json(201, { code, shortUrl: `${origin}/${code}`, url });
});
