import { creationMarkerDays } from '../../lib/links/storage/creation-marker.ts';
import { apiScope } from '../../local/api-scope.ts';
import { keyScheme } from './key-routes.ts';
import {
  type Answer,
  type CompleteRoute,
  headers,
  mapValues,
  sharedAnswers,
  tags,
} from './route.ts';
import { routes } from './routes.ts';
import { describeQueries, describeSchemas, type JsonSchema, nameOf } from './schemas.ts';

const info = {
  title: 'click-tally',
  description:
    'A link shortener that counts each click once if its copies arrive within 19 days. Responses in JSON ' +
    'are never cached (`Cache-Control: no-store`).',
  license: { name: 'MIT', identifier: 'MIT' },
};

const servers = [
  {
    url: 'https://{domain}',
    description: 'A stage.',
    variables: {
      domain: {
        default: 'go.example.com',
        description: "The host in the ApiUrl output of the stage's CloudFormation stack.",
      },
    },
  },
  { url: 'http://127.0.0.1:3000', description: 'The local stack of `npm start`.' },
];

const securitySchemes = {
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "An access token of the stage's Cognito user pool (OpenID Connect), valid for an hour: " +
      '`npm run stage -- token EMAIL --stage STAGE`. The local stack writes one to `.local/stack.json`. ' +
      `It needs the scope \`${apiScope}\`. Stages whose commands send passwords also accept ` +
      "Cognito's `aws.cognito.signin.user.admin`, the scope of those tokens.",
  },
  apiKey: keyScheme,
};

/** Whatever is undefined isn't in the file. */
export function describeDocument(version: string) {
  const groups = Object.entries(tags).map(([name, description]) => ({ name, description }));
  return { openapi: '3.1.1', info: { ...info, version }, servers, tags: groups, ...describeApi() };
}

export function describeApi() {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const [method = '', path = ''] = route.routeKey.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(route) };
  }
  // Parameters use the schemas of a query's fields, so the query itself isn't named.
  const queries = routes.flatMap(({ query }) => (query ? [nameOf(query)] : []));
  const schemas = Object.entries(describeSchemas()).filter(([name]) => !queries.includes(name));
  return {
    security: [{ jwt: [apiScope] }],
    paths,
    components: {
      securitySchemes,
      headers,
      responses: mapValues(sharedAnswers, describeAnswer),
      schemas: Object.fromEntries(schemas),
    },
  };
}

const bodyNote = 'It is read as JSON, whatever its content type says.';

function describeRoute(route: CompleteRoute) {
  const { operationId, tag, summary, description, isPublic, takesKey, query, body } = route;
  const parameters = [
    ...listPathParameters(route.routeKey),
    ...listQueryParameters(query),
    ...(route.takesIdempotencyKey ? [idempotencyKey] : []),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(isPublic && { security: [] }),
    ...(takesKey && { security: [{ apiKey: [] }] }),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { description: bodyNote, required: true, content: describeContent(body) },
    responses: mapValues(route.answers, (answer) =>
      typeof answer === 'string' ? refer('responses', answer) : describeAnswer(answer),
    ),
  };
}

const pathParameters: Record<string, { schema: object; example: string }> = {
  file: { schema: { type: 'string' }, example: 'main-qz5dAtFPnR.js' },
  id: { schema: { type: 'string' }, example: '4fZ0kQ7bXa' },
  code: { schema: refer('schemas', 'Code'), example: 'spring' },
};

function listPathParameters(routeKey: string) {
  return [...routeKey.matchAll(/{(\w+)}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameters[name],
  }));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    `A key of your own, such as a UUID. For at least ${creationMarkerDays} days, a request with the same key and body gets the ` +
    'link that the first one created, as it is now, so you can send it again if a response was lost. A ' +
    'rejected request does not use up its key. It may be in quotes.',
  schema: refer('schemas', 'CreationKey'),
  example: '7c0f4c2e-3a4b-4a0f-9a55-0f2d6c1c8f11',
};

function listQueryParameters(query: CompleteRoute['query']) {
  if (!query) return [];
  const { properties = {} } = describeQueries()[nameOf(query)] ?? {};
  const { required = [] } = describeSchemas()[nameOf(query)] ?? {};
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: (required as string[]).includes(name),
      description,
      schema,
    }),
  );
}

function describeAnswer({ description, headers, schema, examples = {}, mediaTypes = [] }: Answer) {
  const texts = mediaTypes.map((type) => [type, { schema: { type: 'string' } }]);
  const content = {
    ...(schema && describeContent({ schema, examples })),
    ...Object.fromEntries(texts),
  };
  return {
    description,
    headers: headers && Object.fromEntries(headers.map((name) => [name, refer('headers', name)])),
    content: Object.keys(content).length > 0 ? content : undefined,
  };
}

function describeContent({ schema, examples }: NonNullable<CompleteRoute['body']>) {
  return {
    'application/json': {
      schema: refer('schemas', nameOf(schema)),
      examples: mapValues(examples, (value) => ({ value })),
    },
  };
}

function refer(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}
