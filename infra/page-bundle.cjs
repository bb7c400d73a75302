// Bundles dashboard/ for functions/serve-page.ts, which imports the result as `virtual:dashboard`.
// infra/bundle-plugins.cjs uses `plugin`, and vitest `bundlePage`.
const { createHash } = require('node:crypto');
const { readFile } = require('node:fs/promises');
const path = require('node:path');
const { brotliCompressSync, constants } = require('node:zlib');
const esbuild = require('esbuild');

const moduleName = 'virtual:dashboard';
const sourceDir = path.resolve(__dirname, '../dashboard');
const libraryDir = path.resolve(__dirname, '../lib') + path.sep;
// They're written for browsers too.
const sharedFiles = [
  'clicks/envelope-limit.ts',
  'keys.ts',
  'links/import-export/csv-cells.ts',
  'links/import-export/import-check.ts',
  'links/import-export/import-columns.ts',
  'links/import-export/import-file.ts',
  'links/import-export/import-rows.ts',
  'links/import-export/link-export.ts',
  'links/import-export/services.ts',
  'links/import-export/unknown-column.ts',
  'links/rules/link-fields.ts',
].map((name) => path.join(libraryDir, name));

/** @type {Record<string, string>} */
const mediaTypes = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The module's code: `html`, and `assets` by name, each with its type and body. */
async function bundlePage() {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: ['main.tsx', 'main.css', 'later.ts'].map((name) => path.join(sourceDir, name)),
    tsconfig: path.join(sourceDir, 'tsconfig.json'),
    outdir: sourceDir,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    // The ES module is smaller than the package's CommonJS entry.
    mainFields: ['module', 'main'],
    legalComments: 'none',
  });
  refuseServiceCode(Object.keys(metafile.inputs));
  const files = outputFiles.map(({ path: file, contents }) => ({
    name: path.basename(file),
    body: contents,
  }));
  const iconFile = path.join(sourceDir, 'icon.svg');
  files.push({ name: 'icon.svg', body: await readFile(iconFile) });
  const assets = Object.fromEntries(
    files.map(({ name, body }) => [nameByContent(name, body), toAsset(name, body)]),
  );
  const template = await readFile(path.join(sourceDir, 'index.html'), 'utf8');
  const html = files.reduce(
    (text, { name, body }) => text.replace(`{{${name}}}`, nameByContent(name, body)),
    template,
  );
  return `export const html = ${JSON.stringify(html)};\nexport const assets = ${JSON.stringify(assets)};\n`;
}

/**
 * The page may import only types from lib/, whose other code isn't meant for browsers.
 *
 * @param {string[]} inputs
 */
function refuseServiceCode(inputs) {
  const foreign = inputs
    .map((input) => path.resolve(input))
    .filter((input) => input.startsWith(libraryDir) && !sharedFiles.includes(input));
  if (foreign.length === 0) return;
  throw new Error(`expected dashboard/ to import only types from lib/; got ${foreign.join(', ')}`);
}

/**
 * A name that changes with the content, so browsers may cache the file forever.
 *
 * @param {string} name
 * @param {Uint8Array} body
 */
function nameByContent(name, body) {
  const { name: stem, ext } = path.parse(name);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  return `${stem}-${digest}${ext}`;
}

/**
 * @param {string} name
 * @param {Uint8Array} body
 */
function toAsset(name, body) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return {
    type: mediaTypes[path.extname(name)],
    brotli: brotliCompressSync(body, { params }).toString('base64'),
  };
}

/** @type {import('esbuild').Plugin} */
const plugin = {
  name: 'page-bundle',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${moduleName}$`) }, () => ({
      path: moduleName,
      namespace: 'page-bundle',
    }));
    build.onLoad({ filter: /.*/, namespace: 'page-bundle' }, async () => ({
      contents: await bundlePage(),
      loader: 'js',
    }));
  },
};

module.exports = { bundlePage, moduleName, plugin };
