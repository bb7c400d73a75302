// serverless-esbuild reads this module as a list of plugins.
const path = require('node:path');
const pageBundle = require('./page-bundle.cjs');

// A chunk's name begins with its function's, so serverless-esbuild leaves it out of the others' archives.
/** @type {import('esbuild').Plugin} */
const nameChunks = {
  name: 'name-chunks',
  setup({ initialOptions }) {
    // serverless-esbuild bundles one function at a time.
    const { entryPoints } = initialOptions;
    const [entry] = Array.isArray(entryPoints) ? entryPoints : [];
    initialOptions.chunkNames = `${path.parse(`${entry}`).name}.[hash]`;
  },
};

module.exports = [nameChunks, pageBundle.plugin];
