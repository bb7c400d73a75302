import type { PlantedBug } from '../function-code.ts';

export const orderBugs: PlantedBug[] = [];
