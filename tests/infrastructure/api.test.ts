import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes as documentedRoutes } from '../../generate/openapi/routes.ts';
import { isProtected, operations, scopeOf, takesKey } from '../helpers/openapi.ts';
import { openStage, packaged } from './stage-template.ts';

const functionOf = new Map(documentedRoutes.map((each) => [each.routeKey, each.function]));

describe.each(packaged)('the API of %s', async (name) => {
  const { template, stage, ...opened } = await openStage(name);
  const { read, readType, environment, output, expects } = opened;
  const takesPasswords = stage === 'local' || stage === 'dev';
  /** A token needs one of these. Tokens from a password sign-in have only the second. */
  const scopes = [
    'click-tally/links',
    ...(takesPasswords ? ['aws.cognito.signin.user.admin'] : []),
  ];
  const routes = Object.values(readType('ApiGatewayV2::Route'))
    .filter(({ ApiId }) => ApiId === 'HttpApi')
    .map(({ RouteKey, AuthorizationType, AuthorizationScopes, Target }) => {
      const { IntegrationUri } = read(path.basename(`${Target}`));
      const [, functionId = ''] = `${IntegrationUri}`.split(':');
      const scopes = AuthorizationType === 'JWT' ? AuthorizationScopes : undefined;
      return { route: `${RouteKey}`, function: read(functionId).FunctionName, scopes };
    });

  test('requires a token with a scope, which ID tokens lack, on every route except the redirect, the page and those for API keys', () => {
    const byKey = [...operations].flatMap(([route, one]) => (takesKey(one) ? [route] : []));
    const open = routes.filter((each) => !each.scopes && !byKey.includes(each.route));

    expect(open.map(({ route }) => route).toSorted()).toEqual([
      ...['GET /', 'GET /assets/{file}', 'GET /favicon.ico', 'GET /robots.txt'],
      ...['GET /{code}', 'GET /{code}/{rest+}', 'HEAD /{code}', 'HEAD /{code}/{rest+}'],
    ]);
    // lib/owner-api.ts checks keys on these routes, and on no others.
    expect(byKey).toHaveLength(8);
    expect(byKey.filter((route) => !route.includes(' /api/links'))).toEqual([]);
    expect(environment('AuthorizeConnection').JWT_SCOPES?.split(' ')).toEqual(scopes);
  });

  test('has the routes, functions and scopes of docs/openapi.yml', () => {
    const documented = [...operations].map(([route, operation]) => ({
      route,
      function: `click-tally-${stage}-${functionOf.get(route)}`,
      scopes: isProtected(operation) ? [scopeOf(operation), ...scopes.slice(1)] : undefined,
    }));

    // Crawlers, browsers and visitors with a wrong address ask for the others.
    const deployed = routes.filter(({ route }) => !/\.txt$|\.ico$|\+\}$/.test(route));
    expect(new Set(documented)).toEqual(new Set(deployed));
  });

  test("accepts tokens only of its own user pool's clients, for the page and for commands", () => {
    expects({
      HttpApiAuthorizerJwt: {
        AuthorizerType: 'JWT',
        IdentitySource: ['$request.header.Authorization'],
        JwtConfiguration: {
          Issuer: 'https://cognito-idp.us-east-1.amazonaws.com/UserPool',
          Audience: ['UserPoolClient', 'CommandClient'],
        },
      },
    });
  });

  test('writes JSON access logs without visitors, users or paths', () => {
    const { Format } = read('HttpApiStage').AccessLogSettings as { Format: string };

    expect(Object.values(JSON.parse(Format))).toContain('$context.status');
    expect(Format).not.toMatch(/identity|sourceIp|userAgent|claims|context\.path/);
  });

  test('has users who are invited, need a long password, and in prod an authenticator app', () => {
    expects({
      UserPool: {
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        Policies: { PasswordPolicy: { MinimumLength: 14 } },
        MfaConfiguration: stage === 'prod' ? 'ON' : 'OPTIONAL',
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      },
    });
    expect(read('UserPool')).not.toHaveProperty('Schema');
    expect(read('UserPool')).not.toHaveProperty('LambdaConfig');
  });

  // ALLOW_CUSTOM_AUTH fails, because the pool has no trigger for it. A flow is required, and Cognito
  // rejects ALLOW_REFRESH_TOKEN_AUTH together with rotation.
  test('gives users short-lived tokens of its scope, and passwords work only from commands of local and dev', () => {
    const client = {
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'click-tally/links'],
      AccessTokenValidity: 1,
      PreventUserExistenceErrors: 'ENABLED',
      TokenValidityUnits: { AccessToken: 'hours', RefreshToken: 'hours' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      // With an empty list of attributes, users could change their e-mail address.
      ReadAttributes: ['email', 'email_verified'],
      WriteAttributes: ['locale'],
      ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH'],
    };

    expects({
      UserPoolResourceServer: { Identifier: 'click-tally', Scopes: [{ ScopeName: 'links' }] },
      UserPoolClient: { ...client, RefreshTokenValidity: 7 * 24 },
      CommandClient: {
        ...client,
        RefreshTokenValidity: 1,
        CallbackURLs: ['http://127.0.0.1:8250/'],
        ...(takesPasswords && { ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'] }),
      },
    });
    expect(read('CommandClient')).not.toHaveProperty('LogoutURLs');
    // Cognito rejects a client of a scope that doesn't exist yet.
    const { UserPoolClient, CommandClient } = template.Resources;
    const waits = [UserPoolClient, CommandClient].map((each) => [each?.DependsOn].flat());
    expect(waits).toEqual(Array(2).fill(['UserPoolResourceServer']));
    const outputs = ['CommandSignIn', 'CommandCallback', 'CommandClientId', 'SignInScope'];
    expect(outputs.map(output)).toEqual([
      ...[takesPasswords ? 'password' : 'browser', 'http://127.0.0.1:8250/', 'CommandClient'],
      'openid click-tally/links',
    ]);
    expect(environment('ServePage').SIGN_IN_SCOPE).toBe('openid click-tally/links');
  });
});
