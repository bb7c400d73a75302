import type { Behaviour } from './behaviour.ts';
import { beyond } from './behaviours/beyond.ts';
import { errors } from './behaviours/errors.ts';
import { integrations } from './behaviours/integrations.ts';
import { requestFlows } from './behaviours/request-flows.ts';
import { settings } from './behaviours/settings.ts';

/** All behaviours under their headings, in the order of the report. */
export const groups: [heading: string, members: Behaviour[]][] = [
  ['The request flows of the documentation', requestFlows],
  ['Errors', errors],
  ['Settings', settings],
  ['Wrappers and batches', integrations],
  ['Beyond the documentation', beyond],
];

export const behaviours: Behaviour[] = groups.flatMap(([, members]) => members);
