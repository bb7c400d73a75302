import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/unit/idempotency/**/*.test.ts'],
    env: {
      STAGE: 'test',
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    },
  },
});
