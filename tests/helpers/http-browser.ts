/** Follows redirects and keeps cookies. One instance is one browser session. */
export function createBrowser() {
  const cookies = new Map<string, string>();

  /** Follows redirects within `origin`. Returns the last answer and address. */
  const visit = async (address: string, init: RequestInit = {}) => {
    const { origin } = new URL(address);
    let url = new URL(address);
    let request = init;
    for (;;) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { accept: 'text/html', cookie, ...request.headers };
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      keepCookies(response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      url = new URL(location, url);
      if (url.origin !== origin) return { url, response };
      request = {};
    }
  };
  const keepCookies = (lines: string[]) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || line.includes('01 Jan 1970')) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  /** Sends a form by POST. */
  const submit = (address: string, fields: Record<string, string>) =>
    visit(address, { method: 'POST', body: new URLSearchParams(fields) });
  return { visit, submit };
}
