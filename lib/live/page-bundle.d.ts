/** The output of infra/page-bundle.cjs for dashboard/. */
declare module 'virtual:dashboard' {
  /** The page, with the placeholder `{{config}}` for its configuration. */
  export const html: string;
  /** Immutable files by name. A name contains the content's hash. */
  export const assets: Readonly<Record<string, { type: string; brotli: string } | undefined>>;
}
