import vm from 'node:vm';
import type { Context } from 'aws-lambda';
import { type FunctionSource, injectedNames } from './function-code.ts';
import type { Role } from './instance.ts';
import { type Globals, makeGlobals, type Sandbox } from './sandbox.ts';

/** A Lambda handler of the service. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The service's compiled code. Each call of `load` creates a fresh module graph. */
export interface FunctionCode {
  load(role: Role, sandbox: Sandbox): Promise<Handler>;
  /** The first error of a planted bug's own code. */
  readonly brokenBy?: unknown;
}

/** A module of a Lambda function. */
interface Module {
  handler: Handler;
}

type Evaluate<T> = (globals: Globals) => Promise<T>;

/** Compiles the output of buildFunctionCode, once for all instances of this thread. */
export function compileFunctionCode(functions: FunctionSource): FunctionCode {
  const evaluate = new Map(
    Object.entries(functions).map(([role, source]) => [
      role,
      compile<Module>(source, `${role}.js`),
    ]),
  );
  let brokenBy: unknown;
  const onBroken = (error: unknown) => {
    brokenBy ??= error;
  };
  return {
    get brokenBy() {
      return brokenBy;
    },
    async load(role, sandbox) {
      const evaluateRole = evaluate.get(role);
      if (!evaluateRole) throw new Error(`expected a function of this service; got ${role}`);
      const { handler } = await evaluateRole(makeGlobals(sandbox, onBroken));
      return handler;
    },
  };
}

function compile<T>(source: string, filename: string): Evaluate<T> {
  const run: (...injected: unknown[]) => Promise<T> = vm.runInThisContext(source, { filename });
  return (globals) => run(...injectedNames.map((name) => globals[name]));
}
