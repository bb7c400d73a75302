import { expect, test } from 'vitest';
import { compareBatches } from '../../../evidence/capacity/check/compare-batches.ts';
import { countInModel, runModel } from '../../../evidence/capacity/check/model.ts';
import { replayBatches } from '../../../evidence/capacity/check/replay.ts';
import { listSmallTraffics } from '../../../evidence/capacity/check/traffics.ts';
import { compileFunctionCode } from '../../../evidence/simulation/compiled-code.ts';
import { buildFunctionCode } from '../../../evidence/simulation/function-code.ts';
import { findObstacle } from '../../../local/engines/dynamodb.ts';

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
