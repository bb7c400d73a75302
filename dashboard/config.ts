/** What serve-page tells the page, in `<meta name="click-tally">`. */
export interface PageConfig {
  issuer: string;
  clientId: string;
  /** What the page asks the issuer for. */
  scope: string;
  liveUrl: string;
  stage: string;
  tryIt: boolean;
  /** Empty if there is none. */
  runbookUrl: string;
}

/** Throws an error if the page has no configuration, which only a broken build causes. */
export function readConfig(): PageConfig {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="click-tally"]');
  return JSON.parse(meta?.content ?? '');
}
