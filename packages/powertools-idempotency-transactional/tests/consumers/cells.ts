import { type Kind, nodes, type Resolution } from './project.ts';

/** A project that installs the package. */
export interface Cell {
  kind: Kind;
  typescript: string;
  /** How TypeScript finds modules. With `bundler`, esbuild bundles what it emits. */
  resolution: Resolution;
  manager: 'npm' | 'pnpm';
  node: string;
  /** Exact versions of the peers; by default, the newest. */
  peers?: 'oldest' | 'pinned';
  /** What a bundle leaves to Lambda's runtime. */
  leftToRuntime?: readonly string[];
}

/** What these tools leave to Lambda's runtime by default, whose SDK can be older than yours. */
export const runtimePackages = {
  'CDK’s NodejsFunction': ['@aws-sdk/*', '@smithy/*'],
  SAM: ['@aws-sdk/*', '@smithy/*'],
  'serverless-esbuild': ['@aws-sdk/*'],
};

/** The oldest TypeScript that reads Powertools' declarations, the last one in JavaScript, and the newest. */
export const typescripts = ['5.0.4', '5.9.3', '7'];

/** What `peers` installs instead of the newest versions. */
export const peerVersions = {
  oldest: {
    '@aws-lambda-powertools/batch': '2.33.0',
    '@aws-lambda-powertools/idempotency': '2.33.0',
    '@aws-sdk/client-dynamodb': '3.552.0',
  },
  // A version that Powertools and the SDK's own packages still accept.
  pinned: { '@aws-sdk/client-dynamodb': '3.1111.0' },
};

/** What a cell is about differs from this. */
const usual = {
  typescript: '5.9.3',
  resolution: 'nodenext',
  manager: 'npm',
  node: '24',
} as const;
const inEachKind = (changes: Partial<Cell>): Cell[] =>
  (['esm', 'cjs'] as const).map((kind) => ({ ...usual, ...changes, kind }));

export const cells: Cell[] = [
  ...typescripts.flatMap((typescript) => inEachKind({ typescript })),
  ...typescripts.flatMap((typescript) => inEachKind({ typescript, resolution: 'bundler' })),
  { ...usual, kind: 'cjs', resolution: 'node10' },
  // It hides packages that nobody asked for.
  ...inEachKind({ manager: 'pnpm' }),
  ...nodes.flatMap((node) => inEachKind({ node })),
  ...inEachKind({ peers: 'oldest' }),
  ...inEachKind({ peers: 'pinned' }),
  ...Object.values(runtimePackages).flatMap((leftToRuntime) =>
    inEachKind({ peers: 'oldest', resolution: 'bundler', leftToRuntime }),
  ),
];

export function nameCell(cell: Cell) {
  const { kind, typescript, resolution, manager, node, peers, leftToRuntime } = cell;
  const name = `${kind}, ${manager}, TypeScript ${typescript} ${resolution}, Node ${node}`;
  const withPeers = peers ? `${name}, ${peers} peers` : name;
  return leftToRuntime ? `${withPeers} beside ${leftToRuntime.join(' and ')}` : withPeers;
}
