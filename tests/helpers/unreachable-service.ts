import { vi } from 'vitest';

// To be imported before the functions, which read these as they load.
// No request is counted against the limit of its user, and the log would say so.
vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'ERROR');
// Nothing answers at these: a refused request reads and writes nothing.
vi.stubEnv('TABLE_NAME', 'never-reached');
vi.stubEnv('LINKS_PER_DAY', '1');
vi.stubEnv('BUS_NAME', 'never-reached');
vi.stubEnv('OWN_DOMAINS', '');
vi.stubEnv('CLICK_QUEUE_URL', 'http://localhost:1/000000000000/never-reached');
vi.stubEnv('CLICK_QUEUES', '1');
vi.stubEnv('API_HOST', 'a1.execute-api.us-east-1.amazonaws.com');
vi.stubEnv('DOMAIN_NAME', 'go.example.com');
vi.stubEnv('EDGE_HOST', 'd111111abcdef8.cloudfront.net');
vi.stubEnv('PUBLIC_ORIGIN', 'https://go.example.com');
vi.stubEnv('BLOCKED_DOMAINS', 'evil.example');
