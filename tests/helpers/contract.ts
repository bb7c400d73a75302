import { routes } from '../../generate/openapi/routes.ts';
import {
  findAnswer,
  findAnswerProblems,
  findTextProblems,
  type Operation,
  operations,
} from './openapi.ts';

/** The names of the headers are in lower case. */
interface ReceivedAnswer {
  statusCode?: number;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/**
 * Checks an answer against docs/openapi.yml.
 * @throws {Error} with every difference.
 */
export function checkContract(route: string, answer: ReceivedAnswer): void {
  const operation = operations.get(route);
  if (!operation) throw new Error(`expected docs/openapi.yml to have the route ${route}`);
  // HTTP answers HEAD without a body, whatever the function returns.
  const hasBody = !route.startsWith('HEAD ');
  const problems = findAnswer(operation, answer.statusCode)
    ? [...checkHeaders(operation, answer), ...(hasBody ? checkBody(operation, answer) : [])]
    : [`the status ${answer.statusCode}, which it does not have`];
  if (problems.length === 0) return;
  throw new Error(
    `expected ${route} to keep to docs/openapi.yml; got ${problems.join('; ')} in ${JSON.stringify(answer)}`,
  );
}

/** `fetch` with {@link checkContract}. */
export const fetchByContract: typeof fetch = async (input, init = {}) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  checkContract(findRoute(`${init.method ?? 'GET'} ${pathname}`).routeKey, {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: parseBody(await response.clone().text()),
  });
  return response;
};

function checkHeaders(operation: Operation, { statusCode, headers }: ReceivedAnswer): string[] {
  const expected = findAnswer(operation, statusCode)?.headers ?? {};
  return Object.entries(expected).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`no header ${name}`] : [];
    return findTextProblems(schema, value).map((problem) => `the header ${name}${problem}`);
  });
}

function checkBody(operation: Operation, { statusCode, headers, body }: ReceivedAnswer): string[] {
  const { content } = findAnswer(operation, statusCode) ?? {};
  if (!content) return body === undefined ? [] : ['a body where it has none'];
  const [type = ''] = String(headers['content-type']).split(';');
  const { schema } = content[type] ?? {};
  if (!schema) return [`the content type ${type}`];
  return findAnswerProblems(schema, body).map((problem) => `the body${problem}`);
}

/** Finds the route of a request such as "GET /links". One without parameters takes precedence, as in API Gateway. */
export function findRoute(request: string) {
  const found = routes.flatMap(({ routeKey, function: functionName }) => {
    const pattern = routeKey.replaceAll(/{(\w+)}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(request);
    return match ? [{ routeKey, functionName, pathParameters: match.groups }] : [];
  });
  const route = found.find(({ pathParameters }) => !pathParameters) ?? found[0];
  if (route) return route;
  throw new Error(`expected the API to have a route for ${request}`);
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
