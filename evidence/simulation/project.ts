import path from 'node:path';

/** The root of the checkout, whose service is simulated. */
export const projectDir = path.resolve(import.meta.dirname, '../..');
