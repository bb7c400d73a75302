import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

const page = readFileSync(path.join(projectDir, 'CONTRIBUTING.md'), 'utf8');
const [top = '', ofLib = ''] = [...page.matchAll(/^```mermaid\n(.*?)^```/gms)].map(
  ([, diagram]) => `${diagram}`,
);
/** The folders of the node `base`. */
const base = /base\["(.*), and the files of lib\/"\]/.exec(ofLib)?.[1]?.split(', ') ?? [];
const foldersOfLib = globSync('lib/{*,links/*}/', { cwd: projectDir }).filter(
  (folder) => folder !== 'lib/links',
);

interface Arrow {
  from: string;
  to: string;
  /** What it permits, if that isn't all of the folder. */
  label: string | undefined;
}

function readArrows(diagram: string): Arrow[] {
  const lines = diagram.split('\n').filter((line) => line.includes('-->'));
  return lines.flatMap((line) => {
    const nodes = line.trim().split(/ ?-->/);
    return nodes.slice(1).map((end, index) => {
      const [from = ''] = /[\w-]+$/.exec(nodes[index] ?? '') ?? [];
      const [, label, to = ''] = /^(?:\|(.+)\|)? ?([\w-]+)/.exec(end) ?? [];
      return { from, to, label };
    });
  });
}

/** The files that stand for a node of the diagram of lib/. */
function listFiles(node: string): string[] {
  if (node === 'owner-api') return ['lib/owner-api.ts'];
  const names = node === 'base' ? base : [node];
  const folders = foldersOfLib.filter((folder) => names.includes(path.basename(folder)));
  const files = folders.map((folder) => `${folder}/planted.ts`);
  return node === 'base' ? ['lib/planted.ts', ...files] : files;
}

/** An import from one folder to another, and whether the diagram permits it. */
interface Import {
  file: string;
  target: string;
  isDrawn: boolean;
}

/** The imports between all folders of a diagram, without those that a label permits in part. */
function listImports(diagram: string, filesOf: (node: string) => string[]): Import[] {
  const arrows = readArrows(diagram);
  const reaches = (from: string, to: string): boolean =>
    arrows.some(
      (arrow) => arrow.from === from && !arrow.label && (arrow.to === to || reaches(arrow.to, to)),
    );
  const isPartial = (from: string, to: string) =>
    arrows.some((arrow) => arrow.from === from && arrow.to === to && arrow.label);
  const nodes = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  nodes.delete('layer');

  const imports: Import[] = [];
  for (const from of nodes) {
    for (const to of nodes) {
      if (from === to || isPartial(from, to)) continue;
      for (const file of filesOf(from)) {
        const isDrawn = reaches(from, to);
        imports.push(...filesOf(to).map((target) => ({ file, target, isDrawn })));
      }
    }
  }
  return imports;
}

const show = ({ file, target }: Import) => `${file} imports ${target}`;

/** The imports that lint rejects. */
async function lint(imports: Import[]): Promise<string[]> {
  await using dir = await createTestDir();
  const inDir = (file: string) => path.join(dir.path, file);
  copyFileSync(path.join(projectDir, 'biome.imports.jsonc'), inDir('biome.jsonc'));
  const byFile = Map.groupBy(imports, ({ file }) => file);
  for (const [file, planted] of byFile) {
    const lines = planted.map(({ target }) => {
      const relative = path.posix.relative(path.dirname(file), target);
      return `import '${relative.startsWith('.') ? relative : `./${relative}`}';\n`;
    });
    mkdirSync(path.dirname(inDir(file)), { recursive: true });
    writeFileSync(inDir(file), lines.join(''));
  }
  const biome = path.join(projectDir, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options], { cwd: dir.path });
  const { diagnostics } = JSON.parse(`${stdout}`) as {
    diagnostics: { location: { path: string; start: { line: number } } }[];
  };
  return diagnostics.flatMap(({ location }) => {
    const planted = byFile.get(location.path)?.[location.start.line - 1];
    return planted ? show(planted) : [];
  });
}

test('lint permits the imports that CONTRIBUTING.md draws, and no others', async () => {
  const imports = [
    ...listImports(top, (folder) => [`${folder}/planted.ts`]),
    ...listImports(ofLib, listFiles),
  ];

  const rejected = await lint(imports);

  const undrawn = imports.filter(({ isDrawn }) => !isDrawn).map(show);
  expect(rejected.toSorted()).toEqual(undrawn.toSorted());
  expect(undrawn).toContain('lib/links/rules/planted.ts imports lib/overview/planted.ts');
});

test('CONTRIBUTING.md draws every folder of lib/', () => {
  const nodes = readArrows(ofLib).flatMap(({ from, to }) => [from, to]);

  const drawn = [...base, ...nodes];
  expect(foldersOfLib.filter((folder) => !drawn.includes(path.basename(folder)))).toEqual([]);
});
