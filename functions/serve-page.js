import { brotliDecompressSync } from 'node:zlib';
import { assets, html as template } from 'virtual:dashboard';
import { withHttpApi } from '../lib/http/http.ts';
import { noFileError } from '../lib/http/http-error.ts';
import { takesEncoding } from '../lib/http/request.ts';
import { describePolicy, hasTag, pageHeaders, readPageSettings, renderPage, } from '../lib/live/page.ts';
const settings = readPageSettings();
const page = renderPage(template, settings);
const policy = describePolicy(settings);
const icon = Object.keys(assets).find((file) => file.endsWith('.svg')) ?? '';
/** GET / and GET /assets/{file}: the live page and its files. GET /robots.txt and /favicon.ico. */
export const handler = withHttpApi(async ({ headers, pathParameters, rawPath }) => {
    if (rawPath === '/robots.txt')
        return serveRobots();
    if (rawPath === '/favicon.ico')
        return cacheForDay(serveAsset(icon, headers));
    const file = pathParameters?.file;
    return file === undefined ? servePage(headers) : serveAsset(file, headers);
});
function servePage(headers) {
    // API Gateway would give a 304 without a content type another one, which a cache could keep.
    const contentType = { 'content-type': 'text/html; charset=utf-8' };
    const caching = { etag: page.etag, 'cache-control': 'no-cache' };
    const shared = { ...pageHeaders, ...contentType, ...caching };
    if (hasTag(headers['if-none-match'], page.etag))
        return { statusCode: 304, headers: shared };
    return {
        statusCode: 200,
        headers: {
            ...shared,
            'content-security-policy': policy,
            'cross-origin-opener-policy': 'same-origin',
        },
        body: page.html,
    };
}
function serveAsset(file, headers) {
    const asset = Object.hasOwn(assets, file) ? assets[file] : undefined;
    if (!asset)
        throw noFileError();
    const isBrotli = takesEncoding('br', headers['accept-encoding']);
    const body = Buffer.from(asset.brotli, 'base64');
    return {
        statusCode: 200,
        headers: {
            ...pageHeaders,
            'content-type': asset.type,
            'cache-control': 'public, max-age=31536000, immutable',
            vary: 'accept-encoding',
            ...(isBrotli && { 'content-encoding': 'br' }),
        },
        body: (isBrotli ? body : brotliDecompressSync(body)).toString('base64'),
        isBase64Encoded: true,
    };
}
/** Link previews need access: some of them obey robots.txt. */
function serveRobots() {
    const headers = { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' };
    return cacheForDay({ statusCode: 200, headers, body: 'User-agent: *\nDisallow:\n' });
}
/** Its address stays the same when the content changes. CloudFront caches it too. */
function cacheForDay(response) {
    return {
        ...response,
        headers: { ...response.headers, 'cache-control': 'public, max-age=86400' },
    };
}
