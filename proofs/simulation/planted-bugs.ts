import { countingBugs } from './bugs/counting-bugs.ts';
import { deletionBugs } from './bugs/deletion-bugs.ts';
import { layerBugs } from './bugs/layer-bugs.ts';
import { overviewBugs } from './bugs/overview-bugs.ts';
import type { PlantedBug } from './bugs/planted-bug.ts';
import { redirectBugs } from './bugs/redirect-bugs.ts';
import { standbyBugs } from './bugs/standby-bugs.ts';
import { versionBugs } from './bugs/version-bugs.ts';
import { visitorBugs } from './bugs/visitor-bugs.ts';

/** The bugs that the simulation must find. */
export const plantedBugs: PlantedBug[] = [
  ...layerBugs,
  ...countingBugs,
  ...visitorBugs,
  ...overviewBugs,
  ...redirectBugs,
  ...deletionBugs,
  ...standbyBugs,
  ...versionBugs,
];
