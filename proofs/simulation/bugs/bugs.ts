import { clickBugs } from './click-bugs.ts';
import { layerBugs } from './layer-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

export const plantedBugs: PlantedBug[] = [...layerBugs, ...clickBugs];
