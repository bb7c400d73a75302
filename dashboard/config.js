/** Loads the code that the first view doesn't need. The page names its file. */
export function loadLater() {
    const meta = document.querySelector('meta[name="later"]');
    return import(meta?.content ?? '');
}
/** Throws if the page doesn't have a configuration, which only a broken build causes. */
export function readConfig() {
    const meta = document.querySelector('meta[name="click-tally"]');
    return JSON.parse(meta?.content ?? '');
}
