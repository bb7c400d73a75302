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
  'clicks/undivided.ts',
  'days.ts',
  'keys.ts',
  'links/import-export/csv-cells.ts',
  'links/import-export/import-check.ts',
  'links/import-export/import-columns.ts',
  'links/import-export/import-file.ts',
  'links/import-export/import-rows.ts',
  'links/import-export/link-export.ts',
  'links/import-export/other-services.ts',
  'links/import-export/unknown-column.ts',
  'links/rules/link-fields.ts',
  'links/rules/search.ts',
].map((name) => path.join(libraryDir, name));

/** @type {Record<string, string>} */
const mediaTypes = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const { BROTLI_MAX_QUALITY, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
// The best quality takes half a second, which pays off only where visitors load the page.
const localQuality = 4;

/**
 * The module's code: `html`, and `assets` by name, each with its type and body.
 *
 * @param {number} quality of the compression
 */
async function bundlePage(quality = localQuality) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: ['main.tsx', 'main.css'].map((name) => path.join(sourceDir, name)),
    tsconfig: path.join(sourceDir, 'tsconfig.json'),
    outdir: sourceDir,
    // What the page imports later becomes files of its own, which share code with the first one.
    bundle: true,
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    // The ES module is smaller than the package's CommonJS entry.
    mainFields: ['module', 'main'],
    legalComments: 'none',
  });
  rejectServiceCode(Object.keys(metafile.inputs));
  const icon = await readFile(path.join(sourceDir, 'icon.svg'));
  const files = [
    ...outputFiles.map(({ path: file, contents }) => ({
      name: path.basename(file),
      body: contents,
    })),
    { name: nameByContent('icon.svg', icon), body: icon },
  ];
  const assets = Object.fromEntries(
    files.map(({ name, body }) => [name, toAsset(name, body, quality)]),
  );
  const template = await readFile(path.join(sourceDir, 'index.html'), 'utf8');
  const html = files
    .reduce((text, { name }) => text.replace(placeholderOf(name), name), template)
    .replace('{{preloads}}', renderPreloads(metafile));
  return `export const html = ${JSON.stringify(html)};\nexport const assets = ${JSON.stringify(assets)};\n`;
}

/**
 * Where the page names a file: `{{main.js}}` becomes `main-ABCDEFGH.js`.
 *
 * @param {string} name
 */
function placeholderOf(name) {
  const withoutHash = name.replace(/-[^-]{8,10}(?<ending>\.\w+)$/, '$<ending>');
  return `{{${withoutHash}}}`;
}

/**
 * Links to the files that the first one imports, so that browsers load all of them at once.
 *
 * @param {import('esbuild').Metafile} metafile
 */
function renderPreloads({ outputs }) {
  const [first] = Object.entries(outputs).flatMap(([name, output]) =>
    path.basename(name).startsWith('main-') && name.endsWith('.js') ? [output] : [],
  );
  return (first?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path: file }) => `<link rel="modulepreload" href="/assets/${path.basename(file)}" />`)
    .join('\n    ');
}

/**
 * The page may import only types from lib/, whose other code isn't meant for browsers.
 *
 * @param {string[]} inputs
 */
function rejectServiceCode(inputs) {
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
 * @param {number} quality
 */
function toAsset(name, body, quality) {
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.length };
  return {
    type: mediaTypes[path.extname(name)],
    brotli: brotliCompressSync(body, { params }).toString('base64'),
  };
}

/** @type {import('esbuild').Plugin} */
const plugin = {
  name: 'page-bundle',
  setup(build) {
    // Only the local stack leaves packages where they are.
    const isLocal = build.initialOptions.packages === 'external';
    build.onResolve({ filter: new RegExp(`^${moduleName}$`) }, () => ({
      path: moduleName,
      namespace: 'page-bundle',
    }));
    build.onLoad({ filter: /.*/, namespace: 'page-bundle' }, async () => ({
      contents: await bundlePage(isLocal ? localQuality : BROTLI_MAX_QUALITY),
      loader: 'js',
    }));
  },
};

module.exports = { bundlePage, moduleName, plugin };
