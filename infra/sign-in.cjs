// How users sign in, by the param commandSignIn, and the scopes that a token needs. The user pool,
// the routes, the live connection and the page share these settings.
const { variable } = require('./variables.cjs');

/** The service is the user pool's resource server. Its only scope covers the user's own links. */
const resourceServer = { identifier: variable('self:service'), scope: 'links' };
const linksScope = `${resourceServer.identifier}/${resourceServer.scope}`;

/** Managed login grants these to the page, and to a command that signs in through a browser. */
const requestedScopes = ['openid', linksScope];

/**
 * The only scope of the tokens that Cognito issues for a password in an API call.
 * https://repost.aws/knowledge-center/api-calls-access-tokens-custom-scopes
 */
const passwordScope = 'aws.cognito.signin.user.admin';

/**
 * A command listens here while its user signs in (RFC 8252). Cognito allows only the configured
 * port, and plain HTTP only on the loopback interface.
 */
const commandCallback = 'http://127.0.0.1:8250/';

/**
 * The live page signs in only by the code flow. An empty list would allow the default flows. This
 * one needs triggers that the user pool doesn't have. Rotation excludes ALLOW_REFRESH_TOKEN_AUTH.
 */
const pageAuthFlows = ['ALLOW_CUSTOM_AUTH'];

/**
 * A token needs one of these scopes. ID tokens don't have scopes, so they are rejected.
 *
 * @param {string[]} scopes
 * @param {string[]} commandAuthFlows
 */
const describeSignIn = (scopes, commandAuthFlows) => ({
  resourceServer,
  requestedScopes,
  requestedScope: requestedScopes.join(' '),
  pageAuthFlows,
  commandAuthFlows,
  commandCallback,
  authorizer: { name: 'jwt', scopes },
  acceptedScopes: scopes.join(' '),
});

module.exports = {
  browser: describeSignIn([linksScope], pageAuthFlows),
  // Only callers with AWS credentials (operators, e2e tests) may send a password.
  password: describeSignIn([linksScope, passwordScope], ['ALLOW_ADMIN_USER_PASSWORD_AUTH']),
};
