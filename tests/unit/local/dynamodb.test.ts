import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { findObstacle, startDynamoDb } from '../../../local/engines/dynamodb.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Pretends to run on this kind of machine, with this folder as PATH. */
function onMachine(platform: NodeJS.Platform, arch: NodeJS.Architecture, folder: string): void {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  vi.spyOn(process, 'arch', 'get').mockReturnValue(arch);
  vi.stubEnv('PATH', folder);
}

test('a Mac without Java and dynoxide gets one line with three remedies', async () => {
  await using folder = await createTestDir();
  onMachine('darwin', 'arm64', folder.path);

  const obstacle = findObstacle('dynamodb-local');

  expect(obstacle).toBe(
    'DynamoDB Local needs Java 17 or newer, but `java` was not found. ' +
      'Install Java (macOS: brew install --cask temurin), ' +
      'use dynoxide (npm install --no-save @dynoxide/darwin-arm64@1), ' +
      'or set DYNAMODB_ENDPOINT=http://…',
  );
});

const hasDynoxide = process.platform === 'linux' && !findObstacle('dynoxide');

// It accepts every origin, so a website that found its port could read and write the table.
test.runIf(hasDynoxide)(
  'dynoxide does not listen on the address that a website would try',
  async () => {
    vi.stubEnv('DYNAMODB_ENDPOINT', '');
    const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
    onTestFinished(stop);
    const guesses = ['127.0.0.1', 'localhost', '[::1]'].map((host) => {
      return fetch(`http://${host}:${new URL(endpoint).port}`);
    });

    const answers = await Promise.allSettled(guesses);

    expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 'rejected'));
    expect((await fetch(endpoint)).headers.get('server')).toMatch(/^Dynoxide/);
  },
);
