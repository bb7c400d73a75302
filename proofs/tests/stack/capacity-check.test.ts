import { expect, test } from 'vitest';
import { findObstacle } from '../../../local/engines/dynamodb.ts';
import { compareBatches } from '../../capacity/check/compare-batches.ts';
import { countInModel, runModel } from '../../capacity/check/model.ts';
import { replayBatches } from '../../capacity/check/replay.ts';
import { listSmallTraffics } from '../../capacity/check/traffics.ts';
import { compileFunctionCode } from '../../simulation/compiled-code.ts';
import { buildFunctionCode } from '../../simulation/function-code.ts';

/** On many links, and mostly on one; prod's batches gather for two seconds. */
const traffics = listSmallTraffics(5).slice(-2);

// Only dynoxide reports the capacity that AWS bills.
test.skipIf(findObstacle('dynoxide'))(
  "the model's batches take on dynoxide what they take in the model",
  async () => {
    const code = compileFunctionCode(await buildFunctionCode());
    const models = traffics.map((traffic, index) => ({
      cell: { stage: 'prod', traffic: traffic.name, approach: 'click-tally' as const },
      ...{ traffic, code, seed: index + 1 },
    }));
    const lists = [];
    for (const model of models) lists.push((await runModel(model)).batches);

    const onEngine = await replayBatches(lists, new AbortController().signal);

    for (const [index, model] of models.entries()) {
      const [engine, batches = []] = [onEngine[index], lists[index]];
      if (!engine) throw new Error('expected every list of batches to be counted');
      const inTurn = await countInModel(model, batches);
      expect(engine.clicks).toBe(batches.flat().length);
      expect(inTurn).toMatchObject({
        ...{ clicks: engine.clicks, writeUnits: engine.writeUnits },
        transactions: engine.transactions,
      });
      const [row] = compareBatches([
        {
          ...{ name: model.traffic.name, engine },
          modelInTurn: { ...inTurn, writeUnits: 2 * inTurn.writeUnits },
          model: inTurn,
        },
      ]);
      expect(row?.verdict).toBe('unexplained');
    }
  },
);
