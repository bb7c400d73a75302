import { mkdir } from 'node:fs/promises';
import { createProgram, runProgram } from '../../../cli/terminal/program.ts';
import { packIdempotency } from './tarball.ts';

const description = `Pack the package into a tarball that npm can install or publish.

The tarball has JavaScript for Node 20 and newer, declarations and source maps.`;

await runProgram(
  createProgram('pack', description, 'packages/powertools-idempotency-transactional')
    .argument('[folder]', 'folder for the tarball', '.build')
    .action(pack),
);

async function pack(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  console.log(`Wrote ${await packIdempotency(folder)}.`);
}
