import { stringify } from 'yaml';
import { describeDocument } from './document.ts';

const note =
  ' Generated from the schemas that check requests: npm run generate -- openapi. Do not edit.';

export function writeDocument(version: string): string {
  // YAML 1.1 parsers don't read an unquoted date as a string.
  const options = { compat: 'yaml-1.1', lineWidth: 100, aliasDuplicateObjects: false } as const;
  return `#${note}\n${stringify(describeDocument(version), options)}`;
}
