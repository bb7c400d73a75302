/** The output of infra/page-bundle.cjs for dashboard/. */
declare module 'virtual:dashboard' {
  /** The page, with the placeholder `{{config}}` for its configuration. */
  export const html: string;
  /** Files that never change, by name. The name depends on the content. */
  export const assets: Readonly<Record<string, { type: string; brotli: string } | undefined>>;
}
