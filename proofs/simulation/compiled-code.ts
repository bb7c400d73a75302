import vm from 'node:vm';
import type { Context } from 'aws-lambda';
import { type FunctionSource, injectedNames } from './function-code.ts';
import type { Role } from './instance.ts';
import { makeGlobals, type Sandbox } from './sandbox.ts';

/** A Lambda handler of the service. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The service's compiled code. Each call of `load` creates a fresh module graph. */
export interface FunctionCode {
  load(role: Role, sandbox: Sandbox): Promise<Handler>;
}

/** Compiles the output of buildFunctionCode, once for all instances of this thread. */
export function compileFunctionCode(functions: FunctionSource): FunctionCode {
  type Evaluate = (...injected: unknown[]) => Promise<{ handler: Handler }>;
  const evaluate = new Map<string, Evaluate>();
  for (const [role, source] of Object.entries(functions)) {
    evaluate.set(role, vm.runInThisContext(source, { filename: `${role}.js` }));
  }
  return {
    async load(role, sandbox) {
      const evaluateRole = evaluate.get(role);
      if (!evaluateRole) throw new Error(`expected a function of this service; got ${role}`);
      const globals = makeGlobals(sandbox);
      const { handler } = await evaluateRole(...injectedNames.map((name) => globals[name]));
      return handler;
    },
  };
}
