import { redirect, withHttpApi } from '../lib/http.ts';
import { notFound, parseCode } from '../lib/link-request.ts';
import { readLink } from '../lib/links.ts';
import { publishClick } from '../lib/publish-click.ts';

/** GET /{code}: sends the visitor on and publishes the click. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const link = await readLink(code);
  if (!link) throw notFound(code);
  await publishClick(code);
  return redirect(link.url);
});
