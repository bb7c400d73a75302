/** What AWS would give and a local stack has to make up. */
export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** For any AWS SDK client of the local stack; credentials are never checked there. */
export function localClientConfig(endpoint: string) {
  return { endpoint, region: REGION, credentials: CREDENTIALS };
}
