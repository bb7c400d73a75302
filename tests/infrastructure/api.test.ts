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
  const routes = Object.values(ofType(template, 'AWS::ApiGatewayV2::Route'))
    .filter(({ Properties }) => resolve(template, Properties.ApiId) === 'HttpApi')
    .map(({ Properties }) => ({
      route: `${Properties.RouteKey}`,
      takesToken: Properties.AuthorizationType === 'JWT',
      scopes: Properties.AuthorizationScopes as string[] | undefined,
      target: `${resolve(template, Properties.Target)}`,
    }));

  test('requires a token with a scope, which ID tokens lack, on every route except the redirect and the page', () => {
    const open = routes.filter(({ takesToken }) => !takesToken);
    const scopes = routes.flatMap((route) => (route.takesToken ? [route.scopes] : []));

    expect(open.map(({ route }) => route).toSorted()).toEqual([
      ...['GET /', 'GET /assets/{file}', 'GET /favicon.ico', 'GET /robots.txt'],
      ...['GET /{code}', 'GET /{code}/{rest+}', 'HEAD /{code}', 'HEAD /{code}/{rest+}'],
    ]);
    expect(scopes).toEqual(Array(6).fill(takenScopes[stage]));
    const { JWT_SCOPES } = environmentOf(template, 'AuthorizeConnectionLambdaFunction');
    expect(JWT_SCOPES?.split(' ')).toEqual(takenScopes[stage]);
  });

  test('has the routes, functions and scopes of docs/openapi.yml', () => {
    // Crawlers, browsers and visitors with a wrong address ask for the others.
    const deployed = routes
      .filter(({ route }) => !/\.txt$|\.ico$|\+\}$/.test(route))
      .map(({ route, takesToken, scopes, target }) => {
        return { route, function: functionOf(target), takesToken, scope: scopes?.[0] };
      });

    const documented = [...operations].map(([route, operation]) => ({
      route,
      function: `click-tally-${stage}-${operation.operationId.replace(/-(get|head)$/, '')}`,
      takesToken: isProtected(operation),
      scope: scopeOf(operation),
    }));

    const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route);
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
    const { Format } = resolve(template, AccessLogSettings) as { Format: string };

    expect(Object.values(JSON.parse(Format))).toContain('$context.status');
    expect(Format).not.toMatch(/identity|sourceIp|userAgent|claims|context\.path/);
  });
});

describe.each(stages)('the users of %s', async (stage) => {
  const template = await readStage(stage);
  const pool = propertiesOf(template, 'UserPool');
  const [page, command] = clients.map((client) => propertiesOf(template, client));
  const takesPasswords = stage === 'local' || stage === 'dev';

  test('are invited, need a long password, and in prod an authenticator app', () => {
    expect(pool).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      Policies: { PasswordPolicy: { MinimumLength: 14 } },
      MfaConfiguration: stage === 'prod' ? 'ON' : 'OPTIONAL',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
    });
  });

  test.each(clients)('get short-lived tokens with the scope of the service from %s', (name) => {
    const client = template.Resources[name];
    const { SIGN_IN_SCOPE } = environmentOf(template, 'ServePageLambdaFunction');

    expect(client?.Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'click-tally/links'],
      AccessTokenValidity: 1,
      RefreshTokenValidity: name === 'UserPoolClient' ? 7 * 24 : 1,
      TokenValidityUnits: { AccessToken: 'hours', RefreshToken: 'hours' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      PreventUserExistenceErrors: 'ENABLED',
    });
    // Cognito refuses a client of a scope that doesn't exist yet.
    expect([client?.DependsOn].flat()).toEqual(['UserPoolResourceServer']);
    expect(propertiesOf(template, 'UserPoolResourceServer')).toMatchObject({
      Identifier: 'click-tally',
      Scopes: [{ ScopeName: 'links' }],
    });
    const asked = [SIGN_IN_SCOPE, template.Outputs.SignInScope?.Value];
    expect(asked).toEqual(Array(2).fill('openid click-tally/links'));
  });

  // An empty list would permit all attributes.
  test.each(clients)('cannot change their e-mail address with a token of %s', (client) => {
    expect(propertiesOf(template, client)).toMatchObject({
      ReadAttributes: ['email', 'email_verified'],
      WriteAttributes: ['locale'],
    });
    expect(pool).not.toHaveProperty('Schema');
  });

  // ALLOW_CUSTOM_AUTH fails, because the pool has no trigger for it. A flow is required, and Cognito
  // rejects ALLOW_REFRESH_TOKEN_AUTH together with rotation.
  test('can sign in with a password only from commands, and only in local and dev', () => {
    expect(page?.ExplicitAuthFlows).toEqual(['ALLOW_CUSTOM_AUTH']);
    expect(command?.ExplicitAuthFlows).toEqual([
      takesPasswords ? 'ALLOW_ADMIN_USER_PASSWORD_AUTH' : 'ALLOW_CUSTOM_AUTH',
    ]);
    expect(pool).not.toHaveProperty('LambdaConfig');
    expect(template.Outputs.CommandSignIn?.Value).toBe(takesPasswords ? 'password' : 'browser');
  });

  test('return after a sign-in only to the page or the command that they came from', () => {
    const [address, domainAddress, ...others] = (page?.CallbackURLs ?? []) as unknown[];

    expect(resolve(template, address)).toBe('https://HttpApi.execute-api.us-east-1.amazonaws.com/');
    expect(others).toEqual([]);
    expect(page?.LogoutURLs).toEqual([address, domainAddress]);
    expect(command?.CallbackURLs).toEqual(['http://127.0.0.1:8250/']);
    expect(command).not.toHaveProperty('LogoutURLs');
    expect(template.Outputs).toMatchObject({
      CommandCallback: { Value: 'http://127.0.0.1:8250/' },
      CommandClientId: { Value: { Ref: 'CommandClient' } },
    });
  });
});
