import {
  findAnswer,
  findAnswerProblems,
  findBodyProblems,
  findTextProblems,
  listHeaders,
  type Operation,
  operations,
} from './openapi.ts';

type Texts = Readonly<Record<string, string | undefined>>;

interface SentRequest {
  path?: Texts;
  query?: Texts;
  body?: unknown;
}

/** The names of the headers are in lower case. */
interface ReceivedAnswer {
  statusCode?: number;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/**
 * Checks an answer and, if it is a success, its request against docs/openapi.yml.
 * @throws {Error} with every difference.
 */
export function checkContract(route: string, request: SentRequest, answer: ReceivedAnswer): void {
  const operation = operations.get(route);
  if (!operation) throw new Error(`expected docs/openapi.yml to have the route ${route}`);
  // HTTP answers HEAD without a body, whatever the function returns.
  const hasBody = !route.startsWith('HEAD ');
  const succeeded = Number(answer.statusCode) < 400;
  const problems = [
    ...(findAnswer(operation, answer.statusCode)
      ? [...checkHeaders(operation, answer), ...(hasBody ? checkBody(operation, answer) : [])]
      : [`the status ${answer.statusCode}, which it does not have`]),
    ...(succeeded ? checkRequest(operation, request) : []),
  ];
  if (problems.length === 0) return;
  const exchange = `${JSON.stringify(request)} → ${JSON.stringify(answer)}`;
  throw new Error(
    `expected ${route} to keep to docs/openapi.yml; got ${problems.join('; ')} in ${exchange}`,
  );
}

/** `fetch` with {@link checkContract}. */
export const fetchByContract: typeof fetch = async (input, init = {}) => {
  const response = await fetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const { route, path } = findRoute(`${init.method ?? 'GET'} ${url.pathname}`);
  const request = {
    path,
    query: Object.fromEntries(url.searchParams),
    body: parseBody(init.body?.toString()),
  };
  checkContract(route, request, {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: parseBody(await response.clone().text()),
  });
  return response;
};

function checkHeaders(operation: Operation, { statusCode, headers }: ReceivedAnswer): string[] {
  const expected = listHeaders(findAnswer(operation, statusCode) ?? {});
  return expected.flatMap(([name, { required, schema }]) => {
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

function checkRequest({ parameters = [], requestBody }: Operation, request: SentRequest): string[] {
  const ofParameters = parameters.flatMap(({ name, in: place, required, schema }) => {
    const value = request[place]?.[name];
    if (value === undefined) return required ? [`no ${name} in the ${place}`] : [];
    return findTextProblems(schema, value).map((problem) => `${name} in the ${place}${problem}`);
  });
  const { schema } = requestBody?.content['application/json'] ?? {};
  const ofBody = schema ? findBodyProblems(schema, request.body) : [];
  return [...ofParameters, ...ofBody.map((problem) => `the request's body${problem}`)];
}

/** Finds a request's route and path parameters. */
function findRoute(request: string) {
  // A route without parameters takes precedence, as in API Gateway.
  const routes = [...operations.keys()].toSorted(
    (one, other) => countParameters(one) - countParameters(other),
  );
  for (const route of routes) {
    const pattern = new RegExp(`^${route.replaceAll(/{(\w+)}/g, '(?<$1>[^/]+)')}$`);
    const found = pattern.exec(request);
    if (found) return { route, path: { ...found.groups } };
  }
  throw new Error(`expected docs/openapi.yml to have a route for ${request}`);
}

function countParameters(route: string): number {
  return route.split('{').length - 1;
}

function parseBody(text = ''): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
