/** A person or a program that opens a link. */
export interface Visitor {
  method: 'GET' | 'HEAD';
  headers: Readonly<Record<string, string>>;
  /** The attributes that the visit must raise on the day's item. Empty if it doesn't count. */
  raises: readonly string[];
}

// As API Gateway adds them to every request.
const common = { host: 'go.example.com', 'x-forwarded-proto': 'https' };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';
const safari = (device: string) =>
  `Mozilla/5.0 (${device} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`;
const iphone = safari('iPhone; CPU iPhone OS 18_5');
const ipad = safari('iPad; CPU OS 18_5');
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Visitors of all kinds. */
export const visitors: readonly Visitor[] = [
  click({ 'user-agent': firefox }, 'vh', 'dd', 'rd'),
  click({ 'user-agent': firefox, referer: 'https://www.google.com/' }, 'vh', 'dd', 'r01'),
  click({ 'user-agent': iphone, referer: 'https://old.reddit.com/r/x/' }, 'vh', 'dm', 'r16'),
  click({ 'user-agent': iphone, referer: 'https://blog.example.org/post' }, 'vh', 'dm', 'ro'),
  click({ 'user-agent': ipad, referer: 'https://go.example.com/page' }, 'vh', 'dt', 'rs'),
  click({ 'user-agent': googlebot }, 'vb', 'do', 'rd'),
  click({}, 'vb', 'do', 'rd'),
  { method: 'HEAD', headers: { ...common, 'user-agent': firefox }, raises: [] },
  {
    method: 'GET',
    headers: { ...common, 'user-agent': firefox, 'sec-purpose': 'prefetch' },
    raises: [],
  },
];

function click(headers: Record<string, string>, ...raises: string[]): Visitor {
  return { method: 'GET', headers: { ...common, ...headers }, raises };
}
