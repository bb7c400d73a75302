/** What AWS would give and a local stack has to make up. */
export const region = 'us-east-1';
export const accountId = '000000000000';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** For any AWS SDK client of the local stack; credentials are never checked there. */
export function localClientConfig(endpoint: string) {
  return { endpoint, region, credentials };
}

/** This process's environment without any AWS setting of the developer's own. */
export function localEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(own),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}
