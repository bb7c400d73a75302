import { isDeepStrictEqual } from 'node:util';
import { type Engine, type RunningDynamoDb, startDynamoDb } from '../../local/engines/dynamodb.ts';
import type { Behaviour } from './behaviour.ts';
import { type Observation, type Side, sides } from './observation.ts';
import { createStage } from './tables.ts';
import { type Stage, World } from './world.ts';

/** What one side did. */
export interface Result {
  behaviour: Behaviour;
  side: Side;
  observed: Observation;
}

export interface Run {
  engine: RunningDynamoDb['engine'];
  results: Result[];
}

/** Plays the behaviours on both sides, on an engine of its own. */
export async function runBehaviours(behaviours: Behaviour[], wanted?: Engine): Promise<Run> {
  await using cleanup = new AsyncDisposableStack();
  const { engine, endpoint, stop } = await startDynamoDb(wanted ? { engine: wanted } : {});
  cleanup.defer(stop);
  const stage = cleanup.use(await createStage(endpoint));
  const results: Result[] = [];
  // One after another, because they move the clock.
  for (const behaviour of behaviours) {
    for (const side of sides) {
      results.push({ behaviour, side, observed: await observe(stage, behaviour, side) });
    }
  }
  return { engine, results };
}

async function observe(stage: Stage, { name, play }: Behaviour, side: Side): Promise<Observation> {
  try {
    return await new World(stage, side, `${name}-${side}`).observe(play);
  } catch (error) {
    throw new Error(`${name}, ${side}: ${error}`, { cause: error });
  }
}

/** Whether a side did what is recorded. Of the engines, only dynoxide reports the capacity of AWS. */
export function isAsRecorded(
  { behaviour, side, observed }: Result,
  engine: Run['engine'],
): boolean {
  const units = engine === 'dynoxide' ? observed.units : behaviour[side].units;
  return isDeepStrictEqual({ ...observed, units }, behaviour[side]);
}
