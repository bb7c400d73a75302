var __addDisposableResource =
  (this && this.__addDisposableResource) ||
  ((env, value, async) => {
    if (value !== null && value !== void 0) {
      if (typeof value !== 'object' && typeof value !== 'function')
        throw new TypeError('Object expected.');
      var dispose, inner;
      if (async) {
        if (!Symbol.asyncDispose) throw new TypeError('Symbol.asyncDispose is not defined.');
        dispose = value[Symbol.asyncDispose];
      }
      if (dispose === void 0) {
        if (!Symbol.dispose) throw new TypeError('Symbol.dispose is not defined.');
        dispose = value[Symbol.dispose];
        if (async) inner = dispose;
      }
      if (typeof dispose !== 'function') throw new TypeError('Object not disposable.');
      if (inner)
        dispose = function () {
          try {
            inner.call(this);
          } catch (e) {
            return Promise.reject(e);
          }
        };
      env.stack.push({ value: value, dispose: dispose, async: async });
    } else if (async) {
      env.stack.push({ async: true });
    }
    return value;
  });
var __disposeResources =
  (this && this.__disposeResources) ||
  ((SuppressedError) => (env) => {
    function fail(e) {
      env.error = env.hasError
        ? new SuppressedError(e, env.error, 'An error was suppressed during disposal.')
        : e;
      env.hasError = true;
    }
    var r,
      s = 0;
    function next() {
      while ((r = env.stack.pop())) {
        try {
          if (!r.async && s === 1) return (s = 0), env.stack.push(r), Promise.resolve().then(next);
          if (r.dispose) {
            var result = r.dispose.call(r.value);
            if (r.async)
              return (
                (s |= 2),
                Promise.resolve(result).then(next, (e) => {
                  fail(e);
                  return next();
                })
              );
          } else s |= 1;
        } catch (e) {
          fail(e);
        }
      }
      if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
      if (env.hasError) throw env.error;
    }
    return next();
  })(
    typeof SuppressedError === 'function'
      ? SuppressedError
      : (error, suppressed, message) => {
          var e = new Error(message);
          return (e.name = 'SuppressedError'), (e.error = error), (e.suppressed = suppressed), e;
        },
  );

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createTestDir } from '../helpers/test-dir.ts';
import { openStage, packageDirOf } from './stage-template.ts';

// Lambda's runtime does the same before the first event.
const importHandler = `
const [file, name] = process.argv.slice(1);
const module = await import(file);
console.log(typeof module[name]);
`;
/** Lambda's variables, which change how some libraries behave. */
const queueUrl = 'https://sqs.us-east-1.amazonaws.com/123456789012/Queue';
const lambdaEnvironment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  CLICK_QUEUE_URL: queueUrl,
  CLICK_DLQ_URL: queueUrl,
  CLICK_RULE_DLQ_URL: queueUrl,
};
/** The files of a function's archive, with its entry and the chunks that it imports. */
const unpack = async (archive) =>
  Object.entries(unzipSync(await readFile(path.join(packageDirOf('dev'), archive))));
describe('the bundle', async () => {
  const functions = Object.entries((await openStage('dev')).readType('Lambda::Function'));
  test.each(functions)('of %s is complete and exports its handler', async (_, settings) => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
      // Outside the project, so that an import cannot find a package that the archive lacks.
      const dir = __addDisposableResource(env_1, await createTestDir(), true);
      const [module = '', handler = ''] = `${settings.Handler}`.split('.');
      const { S3Key } = settings.Code;
      for (const [name, code] of await unpack(path.basename(S3Key))) {
        expect(name.startsWith(`${module}.`)).toBe(true);
        await writeFile(path.join(dir.path, path.basename(name)), code);
      }
      const file = path.join(dir.path, `${path.basename(module)}.mjs`);
      const args = ['--input-type=module', '--eval', importHandler, file, handler];
      const own = {
        AWS_LAMBDA_FUNCTION_NAME: `${settings.FunctionName}`,
        LAMBDA_TASK_ROOT: dir.path,
      };
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: dir.path,
        env: { ...settings.Environment.Variables, ...lambdaEnvironment, ...own },
      });
      expect(stdout).toBe('function\n');
    } catch (e_1) {
      env_1.error = e_1;
      env_1.hasError = true;
    } finally {
      const result_1 = __disposeResources(env_1);
      if (result_1) await result_1;
    }
  });
  test('of resolve-link has no service client of the SDK', async () => {
    // The namespace of a client's schemas.
    const withClients = (files) =>
      files.filter(([, code]) => strFromU8(code).includes('com.amazonaws.')).length;
    expect(withClients(await unpack('resolveLink.zip'))).toBe(0);
    expect(withClients(await unpack('createLink.zip'))).toBeGreaterThan(0);
  });
});
