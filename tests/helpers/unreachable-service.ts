import { vi } from 'vitest';
import { linkVariables } from './aws-environment.ts';

const nowhere = 'never-reached';

// Nothing answers at these: a refused request reads and writes nothing.
const variables = {
  ...linkVariables,
  TABLE_NAME: nowhere,
  BUS_NAME: nowhere,
  CLICK_QUEUE_URL: `http://localhost:1/000000000000/${nowhere}`,
  CLICK_QUEUES: '1',
  OWN_DOMAINS: '',
  // No request is counted against the limit of its user, and the log would say so.
  POWERTOOLS_LOG_LEVEL: 'ERROR',
};

// To be imported before the functions, which read these as they load.
for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
