/** A short URL without its scheme. The code stands out from the host, which all links share. */
export function ShortUrl({ shortUrl }: { shortUrl: string }) {
  const { host, pathname } = new URL(shortUrl);
  return (
    <>
      <span class="short-host">{host}/</span>
      {pathname.slice(1)}
    </>
  );
}
