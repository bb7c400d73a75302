// Views that are loaded when they're first shown: a file of their own.
export { ApiKeys } from './api-keys.tsx';
export { BulkBar } from './bulk-bar.tsx';
export { DeletedLinks } from './deleted-list.tsx';
export { ImportLinks } from './import-links.tsx';
export { OverviewView } from './overview.tsx';
export { LinkVisitors } from './visitors.tsx';
