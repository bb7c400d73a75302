import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectDir } from '../../local/engines/serverless.ts';
import type { Statement } from '../../tests/helpers/iam.ts';
import type { FunctionSource } from '../simulation/function-code.ts';
import {
  listVersions,
  readReleasedFunctions,
  releaseDir,
  writeReleasedFunctions,
} from '../simulation/released-functions.ts';
import type { Forms } from './forms.ts';

/** What a packaged stage of a release has, by stage. */
export interface StageResources {
  /** The logical ids of resources that hold data, with their types. */
  data: Record<string, string>;
  /** Each function's rights, in prod. */
  roles: Record<string, Statement[]>;
}

/** A release as fixtures/releases/<version> has it. */
export interface Release {
  version: string;
  functions: FunctionSource;
  forms: Forms;
  resources: Record<string, StageResources>;
}

/** The frozen releases, the oldest first. */
export async function readReleases(): Promise<Release[]> {
  return Promise.all((await listVersions()).map(readRelease));
}

async function readRelease(version: string): Promise<Release> {
  return {
    version,
    functions: await readReleasedFunctions(version),
    forms: await readJson(version, 'forms'),
    resources: await readJson(version, 'resources'),
  };
}

async function readJson(version: string, name: 'forms' | 'resources') {
  return JSON.parse(await readFile(path.join(releaseDir(version), `${name}.json`), 'utf8'));
}

/** Writes the folder of a release. */
export async function writeRelease({ version, functions, ...texts }: Release): Promise<void> {
  const dir = releaseDir(version);
  await mkdir(dir, { recursive: true });
  await writeReleasedFunctions(version, functions);
  for (const name of ['forms', 'resources'] as const) {
    await writeFile(
      path.join(dir, `${name}.json`),
      `${JSON.stringify(texts[name], undefined, 2)}\n`,
    );
  }
}

/** The version in package.json, whose forms the present code stores and sends. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(path.join(projectDir, 'package.json'), 'utf8')).version;
}
