import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProtected, operations, scopeOf } from '../helpers/openapi.ts';
import {
  environmentOf,
  ofType,
  packaged,
  propertiesOf,
  readStage,
  resolve,
  type Stage,
  stageOf,
  stages,
} from './stage-template.ts';

const clients = ['UserPoolClient', 'CommandClient'] as const;

/** A token needs one of these scopes. Tokens from a password sign-in have only the second. */
const takenScopes: Record<Stage, string[]> = {
  local: ['click-tally/links', 'aws.cognito.signin.user.admin'],
  dev: ['click-tally/links', 'aws.cognito.signin.user.admin'],
  staging: ['click-tally/links'],
  prod: ['click-tally/links'],
};

describe.each(packaged)('the API of %s', async (name) => {
  const template = await readStage(name);
  const stage = stageOf(name);
  const allRoutes = Object.values(ofType(template, 'AWS::ApiGatewayV2::Route'));
  const routes = allRoutes.filter(
    ({ Properties }) => resolve(template, Properties.ApiId) === 'HttpApi',
  );

  test('requires a token on every route except the redirect and the page', () => {
    const open = routes.filter(({ Properties }) => Properties.AuthorizationType !== 'JWT');

    expect(open.map(({ Properties }) => Properties.RouteKey).toSorted()).toEqual([
      ...['GET /', 'GET /assets/{file}', 'GET /favicon.ico', 'GET /robots.txt'],
      ...['GET /{code}', 'GET /{code}/{rest+}', 'HEAD /{code}', 'HEAD /{code}/{rest+}'],
    ]);
  });

  test('requires a scope, which ID tokens do not have', () => {
    const isProtectedRoute = (route: unknown) => /\/(links|live)\b/.test(`${route}`);

    for (const { Properties } of routes) {
      const expected = isProtectedRoute(Properties.RouteKey) ? takenScopes[stage] : undefined;
      expect([Properties.RouteKey, Properties.AuthorizationScopes]).toEqual([
        Properties.RouteKey,
        expected,
      ]);
    }
    expect(routes.filter(({ Properties }) => isProtectedRoute(Properties.RouteKey))).toHaveLength(
      6,
    );
  });

  test('accepts the same tokens for the live connection', () => {
    const { JWT_SCOPES } = environmentOf(template, 'AuthorizeConnectionLambdaFunction');

    expect(JWT_SCOPES?.split(' ')).toEqual(takenScopes[stage]);
  });

  test('has the routes, functions and scopes of docs/openapi.yml', () => {
    // Crawlers, browsers and visitors with a wrong address ask for the others.
    const documentedRoutes = routes.filter(
      ({ Properties }) => !/\.txt$|\.ico$|\+\}$/.test(`${Properties.RouteKey}`),
    );
    const deployed = documentedRoutes.map(({ Properties }) => ({
      route: Properties.RouteKey,
      function: functionOf(`${resolve(template, Properties.Target)}`),
      takesToken: Properties.AuthorizationType === 'JWT',
      scope: (Properties.AuthorizationScopes as string[] | undefined)?.[0],
    }));

    const documented = [...operations].map(([route, operation]) => ({
      route,
      function: `click-tally-${stage}-${operation.operationId.replace(/-(get|head)$/, '')}`,
      takesToken: isProtected(operation),
      scope: scopeOf(operation),
    }));

    const byRoute = (a: { route: unknown }, b: { route: unknown }) =>
      `${a.route}`.localeCompare(`${b.route}`);
    expect(documented.toSorted(byRoute)).toEqual(deployed.toSorted(byRoute));
  });

  /** The function behind a route's target, `integrations/<logical id>`. */
  function functionOf(target: string): unknown {
    const { IntegrationUri } = propertiesOf(template, path.basename(target));
    const [, functionId = ''] = `${resolve(template, IntegrationUri)}`.split(':');
    return propertiesOf(template, functionId).FunctionName;
  }

  test("accepts tokens only of its own user pool's clients, for the page and for commands", () => {
    expect(resolve(template, propertiesOf(template, 'HttpApiAuthorizerJwt'))).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: {
        Issuer: 'https://cognito-idp.us-east-1.amazonaws.com/UserPool',
        Audience: ['UserPoolClient', 'CommandClient'],
      },
    });
  });

  test('writes JSON access logs without visitors, users or paths', () => {
    const { AccessLogSettings } = propertiesOf(template, 'HttpApiStage');
    const { DestinationArn, Format } = resolve(template, AccessLogSettings) as {
      DestinationArn: string;
      Format: string;
    };
    expect(DestinationArn).toBe('arn:HttpApiLogGroup');
    expect(Object.values(JSON.parse(Format))).toEqual(
      expect.arrayContaining(['$context.requestId', '$context.routeKey', '$context.status']),
    );
    expect(Format).not.toMatch(/identity|sourceIp|userAgent|claims|context\.path/);
  });
});

describe.each(stages)('the users of %s', async (stage) => {
  const template = await readStage(stage);

  test('are invited and need a long password', () => {
    expect(propertiesOf(template, 'UserPool')).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      Policies: { PasswordPolicy: { MinimumLength: 14 } },
    });
  });

  test.each(clients)('get one-hour tokens and single-use refresh tokens from %s', (client) => {
    expect(propertiesOf(template, client)).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AccessTokenValidity: 1,
      RefreshTokenValidity: client === 'UserPoolClient' ? 7 * 24 : 1,
      TokenValidityUnits: { AccessToken: 'hours', RefreshToken: 'hours' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      PreventUserExistenceErrors: 'ENABLED',
    });
  });

  // An empty list would permit all attributes.
  test.each(clients)('cannot change their e-mail address with a token of %s', (client) => {
    expect(propertiesOf(template, client)).toMatchObject({
      ReadAttributes: ['email', 'email_verified'],
      WriteAttributes: ['locale'],
    });
    expect(propertiesOf(template, 'UserPool')).not.toHaveProperty('Schema');
  });

  test('need an authenticator app in prod, and may have one elsewhere', () => {
    expect(propertiesOf(template, 'UserPool')).toMatchObject({
      MfaConfiguration: stage === 'prod' ? 'ON' : 'OPTIONAL',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
    });
  });

  // ALLOW_CUSTOM_AUTH fails, because the pool has no trigger for it. A flow is required, and Cognito
  // rejects ALLOW_REFRESH_TOKEN_AUTH together with rotation.
  test('can sign in with a password only from commands, and only in local and dev', () => {
    const [page, command] = clients.map((client) => propertiesOf(template, client));

    const takesPasswords = stage === 'local' || stage === 'dev';
    expect(page?.ExplicitAuthFlows).toEqual(['ALLOW_CUSTOM_AUTH']);
    expect(command?.ExplicitAuthFlows).toEqual([
      takesPasswords ? 'ALLOW_ADMIN_USER_PASSWORD_AUTH' : 'ALLOW_CUSTOM_AUTH',
    ]);
    expect(propertiesOf(template, 'UserPool')).not.toHaveProperty('LambdaConfig');
    expect(template.Outputs.CommandSignIn?.Value).toBe(takesPasswords ? 'password' : 'browser');
  });

  test.each(clients)(
    "have the service's scope with %s, which is created after the scope",
    (name) => {
      const client = template.Resources[name];

      expect(propertiesOf(template, 'UserPoolResourceServer')).toMatchObject({
        Identifier: 'click-tally',
        Scopes: [{ ScopeName: 'links' }],
      });
      expect([client?.DependsOn].flat()).toEqual(['UserPoolResourceServer']);
      expect(client?.Properties.AllowedOAuthScopes).toEqual(['openid', 'click-tally/links']);
      const { SIGN_IN_SCOPE } = environmentOf(template, 'ServePageLambdaFunction');
      expect([SIGN_IN_SCOPE, template.Outputs.SignInScope?.Value]).toEqual([
        'openid click-tally/links',
        'openid click-tally/links',
      ]);
    },
  );

  test('return after a sign-in only to the page or the command that they came from', () => {
    const page = propertiesOf(template, 'UserPoolClient');
    const command = propertiesOf(template, 'CommandClient');

    const [address, domainAddress, ...others] = page.CallbackURLs as unknown[];
    expect(resolve(template, address)).toBe('https://HttpApi.execute-api.us-east-1.amazonaws.com/');
    expect(others).toEqual([]);
    expect(page.LogoutURLs).toEqual([address, domainAddress]);
    expect(command.CallbackURLs).toEqual(['http://127.0.0.1:8250/']);
    expect(command).not.toHaveProperty('LogoutURLs');
    expect(template.Outputs).toMatchObject({
      CommandCallback: { Value: 'http://127.0.0.1:8250/' },
      CommandClientId: { Value: { Ref: 'CommandClient' } },
    });
  });
});
