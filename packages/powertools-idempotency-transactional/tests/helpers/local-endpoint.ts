import { inject } from 'vitest';

// A consumer's test finds the engine by this variable.
process.env.AWS_ENDPOINT_URL_DYNAMODB = inject('endpoint');
