import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf, ofType, packageDirOf, propertiesOf, readStage } from './stage-template.ts';

// What Lambda's runtime does before the first event: it imports the module that the function's
// setting names and looks for the handler in it.
const IMPORT_HANDLER = `
const [file, name] = process.argv.slice(1);
const module = await import(file);
console.log(typeof module[name]);
`;

/** The variables that Lambda itself sets; some libraries behave differently where they are. */
const LAMBDA_ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  CLICK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/123456789012/ClickQueue',
};

describe('the bundle of', async () => {
  const template = await readStage('prod');
  const functions = Object.entries(ofType(template, 'AWS::Lambda::Function')).map(
    ([id, { Properties }]) => [`${Properties.FunctionName}`, id] as const,
  );
  let dir: string;

  // Outside of the project, so that what is not in the archive cannot be found.
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'click-tally-bundles-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const extract = async (name: string) => {
    const archive = path.join(packageDirOf('prod'), `${name}.zip`);
    const files = Object.entries(unzipSync(await readFile(archive)));
    expect(files.map(([file]) => file)).toEqual([`functions/${name}.mjs`]);
    const file = path.join(dir, `${name}.mjs`);
    await writeFile(file, strFromU8(files[0]?.[1] ?? new Uint8Array()));
    return file;
  };

  test.each(functions)('%s holds all that it needs and exports its handler', async (name, id) => {
    const file = await extract(name.replace('click-tally-prod-', ''));
    const handler = `${propertiesOf(template, id).Handler}`.split('.').at(-1) ?? '';

    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', IMPORT_HANDLER, file, handler],
      {
        cwd: dir,
        env: {
          ...environmentOf(template, id),
          ...LAMBDA_ENVIRONMENT,
          AWS_LAMBDA_FUNCTION_NAME: name,
          LAMBDA_TASK_ROOT: dir,
        },
      },
    );

    expect(stdout).toBe('function\n');
  });
});
