import { vi } from 'vitest';
import { linkVariables } from './aws-environment.ts';

const nowhere = 'never-reached';

// Unreachable, because a rejected request must not read or write anything.
const variables = {
  ...linkVariables,
  AWS_REGION: 'us-east-1',
  TABLE_NAME: nowhere,
  BUS_NAME: nowhere,
  CLICK_QUEUE_URL: `http://localhost:1/000000000000/${nowhere}`,
  CLICK_QUEUES: '1',
  CLICKS_VIA: 'bus',
  OWN_DOMAINS: '',
  // Hides the warning that requests can't be counted against the user's limit.
  POWERTOOLS_LOG_LEVEL: 'ERROR',
};

// Import this before the functions, which read these as they load.
for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
