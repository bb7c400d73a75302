// Code that the first view doesn't need: a file of its own.
export { CsvError, parse } from 'csv-parse/browser/esm/sync';
export { encode } from 'uqr';
export * from '../lib/links/import-export/import-check.ts';
export * from '../lib/links/import-export/import-columns.ts';
export * from '../lib/links/import-export/import-file.ts';
export * from '../lib/links/import-export/import-rows.ts';
export * from '../lib/links/import-export/link-export.ts';
