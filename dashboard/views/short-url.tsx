/** A short link without its scheme. Its host, which all links share, may be on a line of its own. */
export function ShortUrl({ shortUrl }: { shortUrl: string }) {
  const { host, pathname } = new URL(shortUrl);
  return (
    <span>
      <span class="short-host">{host}/</span>
      <wbr />
      <span class="short-code">{pathname.slice(1)}</span>
    </span>
  );
}
