import { type Command, Option } from 'commander';
import { createProgram } from '../../../cli/terminal/program.ts';
import type { Engine } from '../../../local/engines/dynamodb.ts';

const description =
  "Play what Powertools documents for idempotency, and more, on its own layer and on this project's, " +
  'and compare. Exits with 1 if either does not do what is recorded.';

export interface PeerOptions {
  /** Every engine that runs here by default. */
  engine?: Engine;
  /** Also write the results there. */
  json?: string;
  /** Also write the table of docs/compare-idempotency.md. */
  write?: boolean;
}

/** Creates the command line of the comparison with stock. */
export function createPeerProgram(
  compare: (options: PeerOptions) => Promise<void> | void,
): Command {
  const engines: Engine[] = ['dynoxide', 'dynamodb-local'];
  return createProgram('compare', description, 'packages/powertools-idempotency-transactional')
    .addOption(new Option('--engine <name>', 'run on this engine only').choices(engines))
    .option('--json <file>', 'also write the results there')
    .option('--write', 'also write the table of docs/compare-idempotency.md')
    .action((options: PeerOptions) => compare(options));
}
