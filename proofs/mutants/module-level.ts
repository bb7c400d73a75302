import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** A node of Babel's with its place in the program, as far as it is asked here. */
interface Path {
  node: { static?: boolean };
  isFunction(): boolean;
  isClassProperty(): boolean;
  isClassPrivateProperty(): boolean;
  findParent(meets: (path: Path) => boolean): Path | null;
  traverse(visitors: { enter(path: Path): void }): void;
  stop(): void;
}

// Part of a function, or of what a constructor sets.
const runsLater = (path: Path) =>
  path.isFunction() ||
  ((path.isClassProperty() || path.isClassPrivateProperty()) && !path.node.static);

/**
 * What runs only as a module loads. A mutant there needs all its tests with fresh modules: Stryker
 * estimates these mutants, a quarter of all, at five sixths of the time.
 */
function isModuleLevel(path: Path): boolean {
  if (runsLater(path) || path.findParent(runsLater)) return false;
  let hasLater = false;
  path.traverse({
    enter(inner) {
      if (!runsLater(inner)) return;
      hasLater = true;
      inner.stop();
    },
  });
  return !hasLater;
}

/** The name of the plugin. */
export const moduleLevel = 'module-level';

/** Stryker looks for this name in the files of its plugins. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, moduleLevel, {
    shouldIgnore: (path) =>
      isModuleLevel(path as Path) ? 'It runs only as its module loads.' : undefined,
  }),
];
