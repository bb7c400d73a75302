// Views that are loaded when they're first shown: a file of their own.
export { ApiKeys } from './api-keys.tsx';
export { ImportLinks } from './import-links.tsx';
export { OverviewView } from './overview.tsx';
