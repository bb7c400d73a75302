import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
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

interface LambdaFunction {
  FunctionName: string;
  Handler: string;
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

const { idsOf, read } = await openStage('dev');

/** The files of a function's archive, with its entry and the chunks that it imports. */
const unpack = async (archive: string) =>
  Object.entries(unzipSync(await readFile(path.join(packageDirOf('dev'), archive))));

describe('the bundle', () => {
  test.each(idsOf('Lambda::Function'))('of %s is complete and exports its handler', async (id) => {
    const { Code, Environment, FunctionName, Handler } = read<LambdaFunction>(id);
    const [module = '', handler = ''] = Handler.split('.');
    // Outside the project, so that an import cannot find a package that the archive lacks.
    await using dir = await createTestDir();
    for (const [name, code] of await unpack(path.basename(Code.S3Key))) {
      expect(name.startsWith(`${module}.`)).toBe(true);
      await writeFile(path.join(dir.path, path.basename(name)), code);
    }

    const file = path.join(dir.path, `${path.basename(module)}.mjs`);
    const args = ['--input-type=module', '--eval', importHandler, file, handler];
    const own = { AWS_LAMBDA_FUNCTION_NAME: FunctionName, LAMBDA_TASK_ROOT: dir.path };
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: dir.path,
      env: { ...Environment.Variables, ...lambdaEnvironment, ...own },
    });

    expect(stdout).toBe('function\n');
  });

  test('of resolve-link has no service client of the SDK', async () => {
    // The namespace of a client's schemas.
    const withClients = (files: [string, Uint8Array][]) =>
      files.filter(([, code]) => strFromU8(code).includes('com.amazonaws.')).length;

    expect(withClients(await unpack('resolveLink.zip'))).toBe(0);
    expect(withClients(await unpack('createLink.zip'))).toBeGreaterThan(0);
  });

  // The local stack's page is compressed faster and less.
  test('of serve-page has the page in its smallest size', async () => {
    const code = (await unpack('servePage.zip')).map(([, text]) => strFromU8(text)).join('\n');
    const bodies = [...code.matchAll(/brotli: ?"([\w+/=]+)"/g)].map(([, body = '']) =>
      Buffer.from(body, 'base64'),
    );

    expect(bodies.length).toBeGreaterThan(2);
    for (const body of bodies) {
      // By default, Node compresses at the best quality.
      expect(body.length).toBeLessThanOrEqual(
        brotliCompressSync(brotliDecompressSync(body)).length,
      );
    }
  });
});
