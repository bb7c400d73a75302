import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** One place in one file of the service that is changed. */
export interface Edit {
  /** Relative to the project. */
  file: string;
  find: string;
  replace: string;
}

/** A bug that is planted on purpose, to see whether the simulation finds it. */
export interface PlantedBug {
  name: string;
  edits: Edit[];
}

const projectUrl = new URL('../..', import.meta.url).href;
const serviceFolders = ['functions/', 'lib/'].map((folder) => projectUrl + folder);

/**
 * From now on this thread can load the service with one of these bugs in it: a module that is
 * imported with the query `?bug=<name>` comes with the bug, and so does all it imports of the
 * service.
 */
export function preparePlanting(bugs: readonly PlantedBug[]): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const bug = bugOf(context.parentURL ?? '');
      if (!bug || !serviceFolders.some((folder) => resolved.url.startsWith(folder)))
        return resolved;
      return { ...resolved, url: withBug(resolved.url, bug) };
    },
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const bug = bugs.find(({ name }) => name === bugOf(url));
      const file = bug && fileURLToPath(url.slice(0, url.indexOf('?')));
      const edits = bug?.edits.filter((edit) => file === fileURLToPath(projectUrl + edit.file));
      if (!edits?.length) return loaded;
      const text = new TextDecoder().decode(loaded.source as Uint8Array);
      return { ...loaded, source: edits.reduce(applyEdit, text) };
    },
  });
}

/** The specifier of a module as it is with a bug, or as it is. */
export function withBug(specifier: string, bug: string | undefined): string {
  return bug ? `${specifier}?bug=${encodeURIComponent(bug)}` : specifier;
}

function bugOf(url: string): string | undefined {
  return URL.parse(url)?.searchParams.get('bug') ?? undefined;
}

function applyEdit(source: string, { file, find, replace }: Edit): string {
  const [before, after, ...others] = source.split(find);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`expected ${file} to have this text once, to plant a bug there: ${find}`);
  }
  return before + replace + after;
}
