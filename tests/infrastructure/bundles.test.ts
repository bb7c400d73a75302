import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createTestDir } from '../helpers/test-dir.ts';
import { stageWithCode } from './package-stages.ts';
import { environmentOf, ofType, packageDirOf, readStage } from './stage-template.ts';

// Lambda's runtime does the same before the first event.
const importHandler = `
const [file, name] = process.argv.slice(1);
const module = await import(file);
console.log(typeof module[name]);
`;

/** Lambda's variables, which change how some libraries behave. */
const lambdaEnvironment = {
  AWS_REGION: 'us-east-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  CLICK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue',
  CLICK_DLQ_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickDLQ',
  CLICK_RULE_DLQ_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickRuleDLQ',
};

/** The files of a function's archive, with its entry and the chunks that it imports. */
const unpack = async (archive: string) =>
  Object.entries(unzipSync(await readFile(path.join(packageDirOf(stageWithCode), archive))));

describe('the bundle', async () => {
  const template = await readStage(stageWithCode);
  const functions = Object.entries(ofType(template, 'AWS::Lambda::Function'));

  test.each(functions)('of %s is complete and exports its handler', async (id, { Properties }) => {
    // Outside the project, so that an import cannot find a package that the archive lacks.
    await using dir = await createTestDir();
    const [module = '', handler = ''] = `${Properties.Handler}`.split('.');
    const { S3Key } = Properties.Code as { S3Key: string };
    for (const [name, code] of await unpack(path.basename(S3Key))) {
      expect(name.startsWith(`${module}.`)).toBe(true);
      await writeFile(path.join(dir.path, path.basename(name)), code);
    }

    const file = path.join(dir.path, `${path.basename(module)}.mjs`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', importHandler, file, handler],
      {
        cwd: dir.path,
        env: {
          ...{ ...environmentOf(template, id), ...lambdaEnvironment },
          AWS_LAMBDA_FUNCTION_NAME: `${Properties.FunctionName}`,
          LAMBDA_TASK_ROOT: dir.path,
        },
      },
    );

    expect(stdout).toBe('function\n');
  });

  test("SQS's client is in a file that resolve-link doesn't load at init", async () => {
    const files = await unpack('resolveLink.zip');
    const codes = files.map(([, code]) => strFromU8(code));
    const found = files.filter((_, index) => codes[index]?.includes('AmazonSQS'));

    expect(found).toHaveLength(1);
    const chunk = path.basename(found[0]?.[0] ?? '');
    expect(codes.filter((code) => code.includes(`from"./${chunk}"`))).toEqual([]);
    expect(codes.filter((code) => code.includes(`import("./${chunk}")`))).toHaveLength(1);
  });
});
