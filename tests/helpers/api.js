import { afterEach, beforeAll } from 'vitest';
import { linkVariables } from './aws-environment.ts';
import { findRoute } from './contract.ts';
import { injectFaults } from './faults.ts';
import { call } from './http-api.ts';
import { useOutput } from './output.ts';
import { useModule, useTable } from './test-table.ts';
/** The API on a table of its own. Its functions run under these roles. Records their output. */
export function useApi(guarded, variables = {}) {
    const table = useTable({ ...linkVariables, ...variables }, guarded);
    const output = useOutput();
    const own = useModule(() => import('../../lib/dynamodb/table.ts'));
    /** What fails in the current test, by operation, such as "UpdateItem". */
    const faults = new Map();
    const requests = [];
    beforeAll(() => {
        injectFaults(own.table.baseClient, ({ commandName = '' }) => {
            const operation = commandName.replace(/Command$/, '');
            requests.push(operation);
            return faults.get(operation) ?? {};
        });
    });
    afterEach(() => {
        faults.clear();
        requests.length = 0;
    });
    return {
        table,
        output,
        faults,
        /** The operations of the current test's requests to DynamoDB. */
        requests,
        /** The functions' own access to the table. */
        access: own,
        /** An operator's access to the table, which no role limits. */
        operator: () => ({
            client: table.database,
            baseClient: table.client,
            tableName: table.tableName,
        }),
        /** Sends a request such as "GET /links?limit=2" for a user. The body is sent as JSON. */
        async send(caller, request, { body, ...parts } = {}) {
            const [method, target = ''] = request.split(' ');
            const { pathname, search, searchParams } = new URL(target, 'https://go.example.com');
            const { functionName, ...route } = findRoute(`${method} ${pathname}`);
            const { handler } = await import(`../../functions/${functionName}.ts`);
            const event = {
                ...route,
                queryStringParameters: search ? Object.fromEntries(searchParams) : undefined,
                body: body && JSON.stringify(body),
                ...parts,
            };
            return call(handler, event, caller);
        },
    };
}
