import * as z from 'zod/mini';
import { show } from '../validation.ts';

/** What other services and older clients call our fields. */
const otherNames: Readonly<Record<string, RegExp>> = {
  code: /slug|alias|half|short|code|hash|^id$|^key|path/i,
  url: /url|link|target|dest|redirect|href|uri/i,
  expiresAt: /expir|valid|until|ttl/i,
  disabled: /disabl|enabl|activ|archiv|status/i,
};

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
  const meant = Object.keys(otherNames).find(
    (name) => name !== unknown && known.includes(name) && otherNames[name]?.test(unknown),
  );
  const remedy = meant ? `use "${meant}"` : `its fields are ${known.join(', ')}`;
  return `an object without ${show(unknown)} (${remedy})`;
}
