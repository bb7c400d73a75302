/** How long a change may take to reach visitors: resolve-link caches a link's URL. */
export const urlCacheSeconds = 30;
