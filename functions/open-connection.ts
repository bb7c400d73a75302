import { withPowertools } from '../lib/telemetry/powertools.ts';

export const handler = withPowertools(async () => ({ statusCode: 200 }));
