/** The page's configuration, which serve-page writes to `<meta name="click-tally">`. */
export interface PageConfig {
  issuer: string;
  clientId: string;
  /** The scope that the page requests from the issuer. */
  scope: string;
  liveUrl: string;
  stage: string;
}

/** Loads the code that the first view doesn't need. */
export function loadLazyCode(): Promise<typeof import('./lazy-code.ts')> {
  return import('./lazy-code.ts');
}

/** Throws if the page doesn't have a configuration, which only a broken build causes. */
export function readConfig(): PageConfig {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="click-tally"]');
  return JSON.parse(meta?.content ?? '');
}
