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

import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import { packageService } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
/** tests/helpers packages `local`. */
export const deployedStages = ['dev', 'staging', 'prod'];
/** Only this stage is packaged with code, which has every function. Bundling takes as long as all the rest. */
const stageWithCode = 'dev';
/** Some stages require an e-mail address, which isn't in the repository. */
export const common = { alarmEmail: 'alarms@example.com' };
export const withDomain = {
  domainName: 'go.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111',
};
export const edgeCertificateArn = withDomain.certificateArn.replace(/\d$/, '2');
export const backups = {
  backupDays: 35,
  backupCopyVaultArn: 'arn:aws:backup:us-east-1:210987654321:backup-vault:copies',
};
/** Stages with other params. */
export const variants = {
  'prod-with-edge': {
    stage: 'prod',
    params: {
      edge: 'cloudfront',
      ...withDomain,
      permissionsBoundary: 'deploy-click-tally-prod',
      clicksVia: 'queue',
      clickQueues: 4,
      billing: 'provisioned',
      dashboard: 'true',
    },
  },
  'dev-with-both': {
    stage: 'dev',
    params: { edge: 'both', ...withDomain, edgeCertificateArn, ...backups },
  },
};
/** Packages the deployed stages and the variants once per run, and removes the packages after. */
export default async function setUp(project) {
  const env_1 = { stack: [], error: void 0, hasError: false };
  try {
    const cleanup = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
    const root = cleanup.use(await createTestDir());
    const runs = [
      ...deployedStages.map((stage) => ({ name: stage, stage, params: {} })),
      ...Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
    ];
    const packageAs = async ({ name, stage, params }) => {
      const dir = path.join(root.path, name);
      const isEmpty = name !== stageWithCode;
      const all = { ...common, ...params };
      const output = await packageService({ stage, outDir: dir, params: all, isEmpty });
      return [name, { dir, output }];
    };
    // The framework keeps a core busy.
    const packages = await pLimit(availableParallelism()).map(runs, packageAs);
    project.provide('stagePackages', Object.fromEntries(packages));
    const created = cleanup.move();
    return () => created.disposeAsync();
  } catch (e_1) {
    env_1.error = e_1;
    env_1.hasError = true;
  } finally {
    const result_1 = __disposeResources(env_1);
    if (result_1) await result_1;
  }
}
