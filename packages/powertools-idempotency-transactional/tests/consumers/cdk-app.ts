import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFailures, type Run, readCheck, readInstallLines } from './project.ts';

const stack = `
import * as cdk from 'aws-cdk-lib';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Construct } from 'constructs';
export class AppStack extends cdk.Stack {
  constructor(scope: Construct, id: string, props?: cdk.StackProps) {
    super(scope, id, props);
    new NodejsFunction(this, 'Check', { entry: 'lib/check.ts', bundling: { externalModules: [] } });
  }
}`;
const test = `
import { checks } from '../lib/check';
test('every check holds', async () => {
  const checked = await checks;
  expect(Object.entries(checked).filter(([, holds]) => !holds)).toEqual([]);
});`;

/** An app as `cdk init` makes it, in CommonJS: it's compiled, tested by Jest, and synthesised with a bundled function. */
export async function runCdkApp(app: string, run: Run, cdk: string, tarball: string) {
  const { needed } = readInstallLines();
  await mkdir(app);
  await run(cdk, 'init', 'app', '--language', 'typescript', '--generate-only');
  await run('npm', 'install', tarball, ...needed);
  await run('npm', 'install', '-D', 'esbuild');
  const replaceIn = async (folder: string, text: string) => {
    const [name = ''] = await readdir(path.join(app, folder));
    await writeFile(path.join(app, folder, name), text);
  };
  await replaceIn('lib', stack);
  await replaceIn('test', test);
  await writeFile(path.join(app, 'lib/check.ts'), await readCheck());
  await run('npm', 'run', 'build');
  await run('npm', 'test');
  await run(cdk, 'synth', '--quiet');
  const assets = await readdir(path.join(app, 'cdk.out'));
  const asset = assets.find((name) => /^asset\.\w+$/.test(name)) ?? '';
  return findFailures(await run(process.execPath, path.join('cdk.out', asset, 'index.js')));
}
