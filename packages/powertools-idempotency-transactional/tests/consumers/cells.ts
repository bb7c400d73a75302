import type { Bundler, Kind, Resolution } from './project.ts';

export type Manager = 'npm' | 'pnpm' | 'yarn' | 'yarn-classic' | 'bun';

/** A project that installs the package. */
export interface Cell {
  kind: Kind;
  typescript: string;
  /** How TypeScript finds modules. `bundler` emits nothing that Node runs, so esbuild bundles it. */
  resolution: Resolution;
  manager: Manager;
  bundler?: Bundler;
  node: string;
  /** Exact versions of the peers; by default, the newest. */
  peers?: 'oldest' | 'pinned';
}

/** The oldest TypeScript that reads Powertools' declarations, the last one in JavaScript, and the newest. */
export const typescripts = ['5.0.4', '5.9.3', '7'];
export const kinds: Kind[] = ['esm', 'cjs'];
/** With Node 20.0 and 22.0, `require` can't load an ES module. */
export const nodes = ['20.0.0', '20', '22.0.0', '22', '24'];

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
export const usual = {
  typescript: '5.9.3',
  resolution: 'nodenext',
  manager: 'npm',
  node: '24',
} as const;
const each = <Value>(values: readonly Value[], make: (value: Value) => Partial<Cell>): Cell[] =>
  kinds.flatMap((kind) => values.map((value) => ({ ...usual, kind, ...make(value) })));

export const cells: Cell[] = [
  ...each(typescripts, (typescript) => ({ typescript })),
  ...each(typescripts, (typescript) => ({ typescript, resolution: 'bundler', bundler: 'esbuild' })),
  { ...usual, kind: 'cjs', resolution: 'node10' },
  ...each(['pnpm', 'yarn', 'yarn-classic', 'bun'] as const, (manager) => ({ manager })),
  ...each(['esbuild', 'rollup', 'webpack'] as const, (bundler) => ({ bundler })),
  ...each(nodes, (node) => ({ node })),
  ...each(['oldest', 'pinned'] as const, (peers) => ({ peers })),
];

export function nameCell({ kind, typescript, resolution, manager, bundler, node, peers }: Cell) {
  const rest = [bundler, peers && `${peers} peers`].filter(Boolean).join(', ');
  return `${kind}, ${manager}, TypeScript ${typescript} ${resolution}, Node ${node}${rest && `, ${rest}`}`;
}

/** Cells that share a project's installed packages. */
export function groupCells(chosen: Cell[]): Group[] {
  const projectOf = ({ kind, manager, peers }: Cell) => `${kind} ${manager} ${peers}`;
  return [...Map.groupBy(chosen, projectOf).values()] as Group[];
}

export type Group = [Cell, ...Cell[]];
