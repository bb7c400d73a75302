import type { Behaviour } from './behaviour.ts';
import { beyond } from './behaviours/beyond.ts';
import { diagrams } from './behaviours/diagrams.ts';
import { integrations, sections } from './behaviours/sections.ts';

/** All behaviours under their headings, in the order of the report. */
export const groups: [heading: string, behaviours: Behaviour[]][] = [
  ['The diagrams of the documentation', diagrams],
  ['Its other sections', sections],
  ['Its other integrations', integrations],
  ['Beyond the documentation', beyond],
];

export const behaviours: Behaviour[] = groups.flatMap(([, members]) => members);
