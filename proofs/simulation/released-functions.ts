import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { projectDir } from '../../local/engines/serverless.ts';
import type { FunctionSource } from './function-code.ts';

const releasesDir = path.join(projectDir, 'fixtures/releases');
const functionsFile = 'functions.json.br';

/** The folder of a frozen release. */
export function releaseDir(version: string): string {
  return path.join(releasesDir, version);
}

/** The versions of the frozen releases, the oldest first. */
export async function listVersions(): Promise<string[]> {
  if (!existsSync(releasesDir)) return [];
  return (await readdir(releasesDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

export async function readReleasedFunctions(version: string): Promise<FunctionSource> {
  const compressed = await readFile(path.join(releaseDir(version), functionsFile));
  return JSON.parse(`${brotliDecompressSync(compressed)}`);
}

export async function writeReleasedFunctions(
  version: string,
  functions: FunctionSource,
): Promise<void> {
  const compressed = brotliCompressSync(JSON.stringify(functions));
  await writeFile(path.join(releaseDir(version), functionsFile), compressed);
}
