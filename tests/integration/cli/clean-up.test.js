import { expect, test } from 'vitest';
import { deleteItems } from '../../e2e/clean-up.ts';
import { dayOf, isoDay, link, marker, producer, sheet } from '../../helpers/items.ts';
import { useOperatedStack } from '../../helpers/operator.ts';
const day = isoDay();
const stack = useOperatedStack();
test('the e2e tests remove only their own items', async () => {
    await stack.table.put(...[link('e2e-1-visits', 3), dayOf('e2e-1-visits', day, 3)], marker('e2e-1-sent', 'e2e-1-visits', day), ...[link('other', 1), dayOf('other', day, 1)], sheet(`${producer}#0`, [
        { code: 'e2e-1-visits', day },
        { code: 'other', day },
        { code: 'e2e-1-visits', day },
    ]));
    const deleted = await deleteItems(stack.table.database, {
        runId: 'e2e-1',
        outputs: { TableName: stack.outputs.tableName },
    });
    const { stdout } = await stack.run('verify.ts', []);
    expect(deleted).toBe(3);
    expect(stdout).toMatch(/^Checked 1 link \(1 click\) .* 1 day .* 1 marker. No drift.\n$/);
});
