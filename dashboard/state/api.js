import { ApiError, timeoutStatus } from './problems.ts';
const timeoutMs = 10000;
/**
 * The HTTP API on behalf of the viewer. Each call throws {@link ApiError}. `onExpired` is called
 * when the API doesn't accept the token and a new one isn't available.
 */
export function createApi(token, onExpired) {
    const attempt = async (path, init) => {
        const first = await send(path, init, await token());
        const response = first.status === 401 ? await send(path, init, await token(true)) : first;
        if (response.ok)
            return response;
        const body = await response.json().catch(() => ({}));
        throw new ApiError(response.status, `${body.message ?? response.statusText}`, body.fields);
    };
    const call = (path, init = {}) => attempt(path, init).catch((error) => {
        if (error instanceof ApiError && error.status === 401)
            onExpired();
        throw error;
    });
    const request = async (path, init = {}) => (await call(path, init)).json().catch(throwUnanswered);
    const write = (method, path, body) => request(path, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
    });
    return {
        listLinks: (query) => request(`/links${toQuery(query)}`),
        /** The links as CSV, a page at a time. The pages make one file. */
        async *readLinksAsCsv() {
            let path = '/links?format=csv&limit=1000';
            while (path !== undefined) {
                const response = await call(path);
                yield await response.blob().catch(throwUnanswered);
                path = /^<(\/[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
            }
        },
        /** A file of a link's days and breakdowns. */
        async *readStatsAs(format, code, days) {
            const response = await call(`/links/${code}/stats${toQuery({ format, ...days })}`);
            yield await response.blob().catch(throwUnanswered);
        },
        /** The clicks of a breakdown's value by day. The JSON has its sum only, and the CSV each day. */
        async readValue(code, { breakdown, name }, days) {
            const response = await call(`/links/${code}/stats${toQuery({ format: 'csv', ...days })}`);
            const text = await response.text().catch(throwUnanswered);
            const [heads = [], ...lines] = text.split('\n').map((line) => line.split(','));
            const column = heads.indexOf(`clicks by ${breakdown} ${name}`);
            return new Map(lines.map(([date = '', ...counts]) => [date, Number(counts[column - 1])]));
        },
        readStats: (code, query) => request(`/links/${code}/stats${toQuery({ ...query })}`),
        importLinks: (links) => write('POST', '/links/import', { links }),
        updateLink: (code, update) => write('PATCH', `/links/${code}`, update),
        deleteLink: (code) => request(`/links/${code}`, { method: 'DELETE' }),
        restoreLink: (code) => request(`/links/${code}/restore`, { method: 'POST' }),
        listKeys: () => request('/api/keys'),
        createKey: (key) => write('POST', '/api/keys', key),
        revokeKey: (id) => request(`/api/keys/${id}`, { method: 'DELETE' }),
        readBacklog: () => request('/live/backlog'),
    };
}
function send(path, init, token) {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(path, { ...init, headers, signal }).catch(throwUnanswered);
}
/** The connection may fail, or time out, before the response is complete. */
function throwUnanswered(error) {
    throw new ApiError(error.name === 'TimeoutError' ? timeoutStatus : 0, 'No response.');
}
function toQuery(values) {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, `${value}`]));
    return query.size > 0 ? `?${query}` : '';
}
