/** What infra/page-bundle.cjs makes of dashboard/. */
declare module 'virtual:dashboard' {
  /** The page; `{{config}}` stands for its configuration. */
  export const html: string;
  /** By its name: a file that never changes, since the name depends on the content. */
  export const assets: Readonly<Record<string, { type: string; brotli: string } | undefined>>;
}
