import type { ServiceName } from '../instance.ts';
import { clickBugs } from './click-bugs.ts';
import { layerBugs } from './layer-bugs.ts';
import { orderBugs } from './order-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

export const bugsOf: Record<ServiceName, PlantedBug[]> = {
  clicks: [...layerBugs, ...clickBugs],
  orders: orderBugs,
};

export const plantedBugs: PlantedBug[] = Object.values(bugsOf).flat();
