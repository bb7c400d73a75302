/** What AWS would give and a local stack has to make up. */
export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** For any AWS SDK client of the local stack; credentials are never checked there. */
export function localClientConfig(endpoint: string) {
  return { endpoint, region: REGION, credentials: CREDENTIALS };
}

/** This process's environment without any AWS setting of the developer's own. */
export function localEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(own),
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
}
