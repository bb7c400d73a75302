import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
/** Connects to a stage's user pool with the caller's AWS credentials. */
export function connectUserPool({ clientConfig, output }) {
    return {
        id: output('UserPoolId'),
        appClientId: output('CommandClientId'),
        client: new CognitoIdentityProvider(clientConfig.others),
    };
}
/** Whether a command may send a user's password; otherwise, users sign in through a browser. */
export function takesPasswords({ output }) {
    return output('CommandSignIn') === 'password';
}
/** Signs a user in with a password. Cognito answers with tokens or with a challenge. */
export function sendPassword({ client, id, appClientId }, username, password) {
    return client.adminInitiateAuth({
        UserPoolId: id,
        ClientId: appClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD: password },
    });
}
