import { defineConfig, type Plugin } from 'vitest/config';
import {
  common,
  onEngine,
  project,
  runnable,
  timeoutOf,
} from '../../tests/helpers/vitest-projects.ts';

const tests = 'packages/powertools-idempotency-transactional/tests';
const [first] = runnable;

// consumers/test-peers.ts runs the tests on other versions of the peers.
const { PEERS_FOLDER } = process.env;
const peers = [
  '@aws-lambda-powertools/idempotency',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/util-dynamodb',
];
const otherPeers: Plugin = {
  name: 'other-peers',
  enforce: 'pre',
  resolveId(name, _importer, options) {
    if (!PEERS_FOLDER || !peers.some((peer) => `${name}/`.startsWith(`${peer}/`))) return undefined;
    return this.resolve(name, `${PEERS_FOLDER}/any.js`, { ...options, skipSelf: true }).then(
      (found) => found ?? this.error(`expected ${name} in ${PEERS_FOLDER}; it isn't there`),
    );
  },
};
const plugins = [otherPeers];

export default defineConfig({
  test: {
    ...common,
    root: `${import.meta.dirname}/../..`,
    projects: [
      { ...project('unit', [`${tests}/unit`], timeoutOf(60_000)), plugins },
      ...runnable.map((engine) => {
        const folders = ['integration', 'comparison'].map((name) => `${tests}/${name}`);
        return { ...project(`integration:${engine}`, folders, onEngine(engine)), plugins };
      }),
      // What users install is the same on all engines.
      ...(first ? [project('package', [`${tests}/package`], onEngine(first))] : []),
    ],
  },
});
