// AWS assigns these; the local stack makes them up.
export const region = 'us-east-1';
export const standbyRegion = 'us-west-2';
export const accountId = '000000000000';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Configures any AWS SDK client for the local stack, which never checks credentials. */
export function localClientConfig(endpoint: string) {
  return { endpoint, region, credentials };
}

/** This process's environment, with the local stack's AWS settings in place of the developer's. */
export function localEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(own),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}
