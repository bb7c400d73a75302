import * as z from 'zod/mini';
import { show } from '../validation.ts';
import { fieldNames, linkFields } from './link-fields.ts';

/** An object without other fields. For an unknown one, the error names the field that was meant. */
export function strictObject<T extends z.core.$ZodLooseShape>(shape: T, expectation: string) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? explain(issue.keys[0] ?? '', Object.keys(shape))
        : expectation,
  });
}

function explain(unknown: string, known: string[]): string {
  const meant = fieldNames.find(
    (name) => name !== unknown && known.includes(name) && linkFields[name].otherNames.test(unknown),
  );
  const remedy = meant ? `use "${meant}"` : `its fields are ${known.join(', ')}`;
  return `an object without ${show(unknown)} (${remedy})`;
}
