import { isDeepStrictEqual } from 'node:util';
import {
  type Engine,
  type RunningDynamoDb,
  startDynamoDb,
} from '../../../local/engines/dynamodb.ts';
import type { Behaviour } from './behaviour.ts';
import { type Observation, type Side, sides } from './observation.ts';
import { createStage } from './tables.ts';
import { type Stage, World } from './world.ts';

/** What both sides did. */
export interface Row {
  behaviour: Behaviour;
  stock: Observation;
  ours: Observation;
}

export interface Run {
  engine: RunningDynamoDb['engine'];
  rows: Row[];
}

/** One side did not do what is recorded. */
export interface Surprise {
  name: string;
  side: Side;
  recorded: Observation;
  observed: Observation;
}

interface RunOptions {
  /** As `startDynamoDb` chooses, by default. */
  engine?: Engine;
  onRow?(): void;
}

/** Plays the behaviours on both sides, on an engine of its own. */
export async function runBehaviours(
  behaviours: Behaviour[],
  { engine: wanted, onRow }: RunOptions = {},
): Promise<Run> {
  await using cleanup = new AsyncDisposableStack();
  const { engine, endpoint, stop } = await startDynamoDb(wanted ? { engine: wanted } : {});
  cleanup.defer(stop);
  const stage = cleanup.use(await createStage(endpoint));
  cleanup.defer(silencePowertools());
  const rows: Row[] = [];
  // One after another, because they move the clock.
  for (const behaviour of behaviours) {
    const stock = await observe(stage, behaviour, 'stock');
    rows.push({ behaviour, stock, ours: await observe(stage, behaviour, 'ours') });
    onRow?.();
  }
  return { engine, rows };
}

// It warns of what some behaviours do on purpose.
function silencePowertools(): () => void {
  const { warn } = console;
  console.warn = () => {};
  return () => {
    console.warn = warn;
  };
}

async function observe(stage: Stage, { name, play }: Behaviour, side: Side): Promise<Observation> {
  try {
    return await new World(stage, side, `${name}-${side}`).observe(play);
  } catch (error) {
    throw new Error(`${name}, ${side}: ${error}`, { cause: error });
  }
}

/** What is not as recorded. Of the engines, only dynoxide reports the write units of AWS. */
export function findSurprises({ engine, rows }: Run): Surprise[] {
  return rows.flatMap((row) =>
    sides.flatMap((side) => {
      const { name, [side]: recorded } = row.behaviour;
      const units = engine === 'dynoxide' ? row[side].units : recorded.units;
      const observed = { ...row[side], units };
      return isDeepStrictEqual(observed, recorded) ? [] : [{ name, side, recorded, observed }];
    }),
  );
}
