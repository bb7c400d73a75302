import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import events from 'node:events';
import { isIPv6 } from 'node:net';
import path from 'node:path';
import querystring from 'node:querystring';
import stream from 'node:stream';
import url from 'node:url';
import util from 'node:util';
import vm from 'node:vm';
import zlib from 'node:zlib';
import type { HttpRequest } from '@smithy/types';
import type { Context } from 'aws-lambda';
import type { Random } from '../tools/random.ts';
import { type FunctionSource, injectedNames } from './function-code.ts';
import type { Instance, Role, Scheduler } from './instance.ts';

/** The AWS client's own options of a request. */
export interface SendOptions {
  abortSignal?: AbortSignal;
  requestTimeout?: number;
  throwOnRequestTimeout?: boolean;
}

/** Everything through which an instance's code interacts with the world. */
export interface Sandbox {
  instance: Instance;
  time: Scheduler;
  random: Random;
  environment: Readonly<Record<string, string>>;
  send(request: HttpRequest, options: SendOptions): Promise<{ response: unknown }>;
  /** Called with each log line of the instance. */
  onLog(line: string): void;
}

/** A Lambda handler of the service. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The service's compiled code. Each call of `load` creates a fresh module graph. */
export interface FunctionCode {
  load(role: Role, sandbox: Sandbox): Promise<Handler>;
}

/**
 * Compiles the output of buildFunctionCode, once for all instances of this thread. These have the bug with
 * this name, if the output has any.
 */
export function compileFunctionCode(functions: FunctionSource, bug?: string): FunctionCode {
  type Evaluate = (...injected: unknown[]) => Promise<{ handler: Handler }>;
  const evaluate = new Map<string, Evaluate>();
  for (const [role, source] of Object.entries(functions)) {
    evaluate.set(role, vm.runInThisContext(source, { filename: `${role}.js` }));
  }
  return {
    async load(role, sandbox) {
      const evaluateRole = evaluate.get(role);
      if (!evaluateRole) throw new Error(`expected a function of this service; got ${role}`);
      const globals: Globals = { ...makeGlobals(sandbox), __bug: bug };
      const { handler } = await evaluateRole(...injectedNames.map((name) => globals[name]));
      return handler;
    },
  };
}

/** The values of the injected names. */
type Globals = Record<(typeof injectedNames)[number], unknown>;

function makeGlobals(sandbox: Sandbox): Omit<Globals, '__bug'> {
  const { time, random, environment, onLog } = sandbox;
  const timers = makeTimers(sandbox);
  const ownConsole = makeConsole(onLog);
  const own = {
    process: Object.create(process, { env: { value: { ...environment } } }),
    console: ownConsole,
    crypto: makeCrypto(random),
    performance: { now: () => time.nowMs },
    Date: makeDate(time),
    Math: Object.defineProperties({}, { ...mathProperties, random: { value: random.fraction } }),
    AbortSignal: makeAbortSignal(timers.setTimeout),
    ...timers,
  };
  const builtins: Record<string, unknown> = {
    ...sharedBuiltins,
    console: {
      Console: class {
        constructor() {
          Object.assign(this, ownConsole);
        }
      },
    },
    crypto: own.crypto,
    process: own.process,
    timers,
    'timers/promises': {
      setTimeout: (delayMs: number) =>
        new Promise<void>((resolve) => void timers.setTimeout(() => resolve(), delayMs)),
    },
  };
  const global = Object.create(globalThis, Object.getOwnPropertyDescriptors(own));
  return {
    ...own,
    globalThis: global,
    global,
    __send: sandbox.send,
    __builtin: (name: string) => {
      const builtin = builtins[name];
      if (builtin) return builtin;
      throw new Error(`expected a module in use; got ${name}: give it to the sandbox`);
    },
  };
}

const mathProperties = Object.getOwnPropertyDescriptors(Math);
const missingFile = Object.assign(new Error('ENOENT: there are no files here'), { code: 'ENOENT' });
const readNothing = () => Promise.reject(missingFile);

/** Opens no sockets, because requests leave the SDK before it would use one. */
class IdleAgent {
  destroy(): void {}
}

/** A diagnostics channel without subscribers. */
const unheard = { hasSubscribers: false };

/** Node's stateless modules. Lambda doesn't have configuration files for the SDK. */
const sharedBuiltins = {
  async_hooks: { AsyncLocalStorage, AsyncResource },
  diagnostics_channel: { channel: () => unheard, tracingChannel: () => unheard },
  events: { EventEmitter: events },
  fs: {
    promises: { readFile: readNothing },
    readFileSync: () => {
      throw missingFile;
    },
  },
  'fs/promises': { readFile: readNothing },
  http: { Agent: IdleAgent },
  https: { Agent: IdleAgent },
  net: { isIPv6 },
  os: { homedir: () => '/nonexistent', platform: () => 'linux', release: () => '0' },
  path,
  querystring,
  stream,
  url,
  util,
  zlib,
};

const inContext = (action: (...args: unknown[]) => void, ...args: unknown[]) => {
  const run = AsyncLocalStorage.snapshot();
  return () => run(action, ...args);
};

function makeTimers({ time, instance }: Sandbox) {
  const setTimeout = (action: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) => {
    const timer = {
      cancel: time.after(delayMs, inContext(action, ...args), instance),
      ref: () => timer,
      unref: () => timer,
    };
    return timer;
  };
  const clearTimeout = (timer?: { cancel?: () => void }) => timer?.cancel?.();
  const unused = () => {
    throw new Error('expected no intervals in the service: teach them to the sandbox');
  };
  return {
    setTimeout,
    clearTimeout,
    setImmediate: (action: () => void) => setTimeout(action),
    clearImmediate: clearTimeout,
    setInterval: unused,
    clearInterval: unused,
  };
}

function makeAbortSignal(setTimeout: (action: () => void, delayMs: number) => unknown) {
  const timeout = (delayMs: number) => {
    const controller = new AbortController();
    const reason = () => new DOMException('The operation timed out', 'TimeoutError');
    setTimeout(() => controller.abort(reason()), delayMs);
    return controller.signal;
  };
  return new Proxy(AbortSignal, {
    get: (target, key) => (key === 'timeout' ? timeout : Reflect.get(target, key)),
  });
}

function makeDate(time: Scheduler): DateConstructor {
  const now = () => time.nowMs;
  return new Proxy(Date, {
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    construct: (target, args) =>
      args.length === 0 ? new target(now()) : Reflect.construct(target, args),
  });
}

/** Ids and tokens come from the seed, so that runs of a seed are identical. */
function makeCrypto(random: Random) {
  const fill = <T extends NodeJS.ArrayBufferView>(view: T): T => {
    const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index + 4 <= bytes.length; index += 4) {
      bytes.writeUInt32LE(random.integer(0, 0xffff_ffff), index);
    }
    return view;
  };
  const randomUUID = () => {
    const hex = fill(Buffer.alloc(16)).toString('hex');
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
  };
  const web = { getRandomValues: fill, randomUUID };
  const { createHash, createHmac, hash, timingSafeEqual } = nodeCrypto;
  return {
    ...web,
    webcrypto: web,
    createHash,
    createHmac,
    hash,
    timingSafeEqual,
    randomBytes: (size: number) => fill(Buffer.alloc(size)),
    randomFillSync: fill,
  };
}

function makeConsole(onLog: (line: string) => void) {
  return { debug: onLog, error: onLog, info: onLog, log: onLog, trace: onLog, warn: onLog };
}
