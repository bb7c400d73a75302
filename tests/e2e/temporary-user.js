import { randomBytes } from 'node:crypto';
import { connectUserPool, sendPassword } from '../../cli/user-pool.ts';
/** Creates a user in the stack's pool and signs in as that user. */
export async function createTemporaryUser(stack, name) {
    const pool = connectUserPool(stack);
    const user = { UserPoolId: pool.id, Username: name };
    const remove = () => pool.client.adminDeleteUser(user);
    await pool.client.adminCreateUser({ ...user, MessageAction: 'SUPPRESS' });
    try {
        return { token: await signIn(pool, user), remove };
    }
    catch (error) {
        await remove();
        throw error;
    }
}
async function signIn(pool, user) {
    // The suffix satisfies any password policy.
    const password = `${randomBytes(24).toString('base64url')}-aA1`;
    await pool.client.adminSetUserPassword({ ...user, Password: password, Permanent: true });
    const answer = await sendPassword(pool, user.Username, password);
    const { AuthenticationResult, ChallengeName } = answer;
    if (AuthenticationResult?.AccessToken)
        return AuthenticationResult.AccessToken;
    throw new Error(`Expected Cognito to sign ${user.Username} in; it asked for ${ChallengeName}.`);
}
