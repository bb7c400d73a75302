import type { Service } from '../function-code.ts';
import { clickBugs } from './clicks.ts';
import { layerBugs } from './layer.ts';
import { orderBugs } from './orders.ts';
import type { PlantedBug } from './planted-bug.ts';

/** The bugs that are planted in each service. */
export const bugsOf: Record<Service, PlantedBug[]> = {
  clicks: [...layerBugs, ...clickBugs],
  orders: orderBugs,
};

export const plantedBugs: PlantedBug[] = Object.values(bugsOf).flat();
