// How users sign in, by the param commandSignIn, and what a token must permit: one place for the
// user pool, the routes, the live connection and the page.
const { variable } = require('./variables.cjs');

/** The service is the user pool's resource server; its only scope is one's own links. */
const resourceServer = { identifier: variable('self:service'), scope: 'links' };
const linksScope = `${resourceServer.identifier}/${resourceServer.scope}`;

/** Managed login issues these to the page, and to a command that signs in through a browser. */
const requestedScopes = ['openid', linksScope];

/**
 * The only scope of the tokens that Cognito issues for a password in an API call.
 * https://repost.aws/knowledge-center/api-calls-access-tokens-custom-scopes
 */
const passwordScope = 'aws.cognito.signin.user.admin';

/**
 * A command listens here while its user signs in (RFC 8252). Cognito permits no other port than the
 * one named, and plain HTTP on the loopback interface only.
 */
const commandCallback = 'http://127.0.0.1:8250/';

/**
 * The live page signs in by the code flow alone. An empty list would permit the default flows; this
 * one needs triggers that the user pool does not have. Rotation excludes ALLOW_REFRESH_TOKEN_AUTH.
 */
const pageAuthFlows = ['ALLOW_CUSTOM_AUTH'];

/** A token needs one of the scopes. An ID token has none, so it is refused. */
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
