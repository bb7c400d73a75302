import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { projectDir } from '../../local/engines/serverless.ts';
import type { Statement } from '../../tests/helpers/iam.ts';
import type { FunctionSource } from '../simulation/function-code.ts';
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

const folder = path.join(projectDir, 'fixtures/releases');
const files = { functions: 'functions.json.br', forms: 'forms.json', resources: 'resources.json' };

/** The frozen releases, the oldest first. */
export async function readReleases(): Promise<Release[]> {
  if (!existsSync(folder)) return [];
  const versions = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  return Promise.all(versions.map(readRelease));
}

async function readRelease(version: string): Promise<Release> {
  const read = (file: string) => readFile(path.join(folder, version, file));
  return {
    version,
    functions: JSON.parse(`${brotliDecompressSync(await read(files.functions))}`),
    forms: JSON.parse(`${await read(files.forms)}`),
    resources: JSON.parse(`${await read(files.resources)}`),
  };
}

/** Writes the folder of a release. */
export async function writeRelease({ version, functions, ...texts }: Release): Promise<void> {
  const dir = path.join(folder, version);
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, files.functions), brotliCompressSync(JSON.stringify(functions)));
  for (const name of ['forms', 'resources'] as const) {
    await writeFile(path.join(dir, files[name]), `${JSON.stringify(texts[name], undefined, 2)}\n`);
  }
}

/** The version in package.json, whose forms the present code stores and sends. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(path.join(projectDir, 'package.json'), 'utf8')).version;
}
