import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { projectDir } from '../../local/engines/serverless.ts';

const folder = path.join(projectDir, 'fixtures/releases');
const files = { functions: 'functions.json.br', forms: 'forms.json', resources: 'resources.json' };
/** The frozen releases, the oldest first. */
export async function readReleases() {
  if (!existsSync(folder)) return [];
  const versions = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  return Promise.all(versions.map(readRelease));
}
async function readRelease(version) {
  const read = (file) => readFile(path.join(folder, version, file));
  return {
    version,
    functions: JSON.parse(`${brotliDecompressSync(await read(files.functions))}`),
    forms: JSON.parse(`${await read(files.forms)}`),
    resources: JSON.parse(`${await read(files.resources)}`),
  };
}
/** Writes the folder of a release. */
export async function writeRelease({ version, functions, ...texts }) {
  const dir = path.join(folder, version);
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, files.functions), brotliCompressSync(JSON.stringify(functions)));
  for (const name of ['forms', 'resources']) {
    await writeFile(path.join(dir, files[name]), `${JSON.stringify(texts[name], undefined, 2)}\n`);
  }
}
/** The version in package.json, whose forms the present code stores and sends. */
export async function readVersion() {
  return JSON.parse(await readFile(path.join(projectDir, 'package.json'), 'utf8')).version;
}
