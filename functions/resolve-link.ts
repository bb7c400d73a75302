import { publishClick } from '../lib/clicks/publish-click.ts';
import { redirect, withHttpApi } from '../lib/http/http.ts';
import { notFound, parseCode } from '../lib/links/link-request.ts';
import { readUrl } from '../lib/links/read-url.ts';

/** GET /{code}: publishes the click and redirects the visitor. */
export const handler = withHttpApi(async (event) => {
  const code = parseCode(event.pathParameters?.code);
  const url = await readUrl(code);
  if (url === undefined) throw notFound(code);
  await publishClick(code);
  return redirect(url);
});
