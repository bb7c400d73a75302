import vm from 'node:vm';
import type { Context } from 'aws-lambda';
import { type FunctionSource, injectedNames } from './function-code.ts';
import type { AnyRole } from './instance.ts';
import { type Globals, makeGlobals, noSandbox, type Sandbox } from './sandbox.ts';

/** Any of the service's Lambda handlers. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Compiled code of the service; each call of `load` makes a fresh module graph. */
export interface FunctionCode {
  load(role: AnyRole, sandbox: Sandbox): Promise<Handler>;
}

/** A module of a Lambda function. */
interface Module {
  handler: Handler;
}

type Evaluate<T> = (globals: Globals) => Promise<T>;

/** Compiles what buildFunctionCode made, once for all instances of this thread. */
export function compileFunctionCode({ functions, shared }: FunctionSource): FunctionCode {
  const evaluateShared = compile<{ modules: object }>(shared, 'shared.js');
  const sharing = evaluateShared(makeGlobals(noSandbox, {}));
  const evaluate = new Map(
    Object.entries(functions).map(([role, source]) => [
      role,
      compile<Module>(source, `${role}.js`),
    ]),
  );
  return {
    async load(role, sandbox) {
      const { modules } = await sharing;
      const evaluateRole = evaluate.get(role);
      if (!evaluateRole) throw new Error(`expected a function of this service; got ${role}`);
      const { handler } = await evaluateRole(makeGlobals(sandbox, modules));
      return handler;
    },
  };
}

function compile<T>(source: string, filename: string): Evaluate<T> {
  const run: (...injected: unknown[]) => Promise<T> = vm.runInThisContext(source, { filename });
  return (globals) => run(...injectedNames.map((name) => globals[name]));
}
