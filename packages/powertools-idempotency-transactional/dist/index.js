// Runs the sources in this repository. `npm pack` and `npm publish` put the compiled package here, and then
// this file back.
export * from '../src/index.ts';
