import { describe, expect, inject, test } from 'vitest';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { createActions } from './actions.ts';
import { cases } from './cases.ts';
import { createModelClient } from './model-client.ts';

const engine = inject('engine');
const table = useTable();

describe.each(cases.map((one, index) => [one[0], `case-${index}`, one] as const))(
  '%s',
  (_name, prefix, [_, act, expected, disagreements]) => {
    const disagreement = disagreements?.[engine];

    test('in the model', async () => {
      const actions = createActions(createModelClient(), 'ClickTable', prefix);

      expect(await act(actions)).toEqual(expected);
    });

    test(`in ${engine}${disagreement ? `, but for this: ${disagreement.because}` : ''}`, async () => {
      const result = await act(createActions(table.client, table.tableName, prefix));

      expect(result).toEqual(disagreement ? disagreement.does : expected);
    });
  },
);
