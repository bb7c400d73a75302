// The import command and the page share this file, so it must run in Node.js and in browsers.
import { isCode } from '../keys.ts';
import { type CsvRecord, expected, ImportFileError, isFilled } from './import-file.ts';
import { type FieldName, fieldNames, linkFields } from './link-fields.ts';
import { extraColumns, findService } from './services.ts';

export type ExtraName = keyof typeof extraColumns;

/** What the columns of a file are. */
export interface Columns {
  names: string[];
  /** The service whose export this is. */
  service?: string;
  /** The positions of the columns of the fields, and of a service's own, or -1. */
  positions: Record<FieldName | ExtraName, number>;
}

// The host of a short link's address, with or without https://, and its only segment.
const shortLink =
  /^(?:https?:\/\/([^/?#\s]+)|([^/?#\s.:]+[.:][^/?#\s]+))\/([^/?#\s]+)\/?(?:[?#].*)?$/i;
const maxListedCharacters = 80;
const maxSampledCells = 1_000;

export interface FoundColumns {
  columns: Columns;
  /** The names of the columns that aren't imported. */
  unused: string[];
  /** The column that has the codes, although it isn't called so. */
  found?: string;
  /** A column that may have codes, which would be lost. */
  suspect?: string;
}

/** The code in a cell, which may have the short link's address. Other texts stay as they are. */
export function readCode(cell: string): string {
  return splitShortLink(cell)?.code ?? cell;
}

function splitShortLink(cell: string) {
  const [, withScheme, withoutScheme, code] = shortLink.exec(cell) ?? [];
  if (code === undefined) return undefined;
  return { host: (withScheme ?? withoutScheme ?? '').toLowerCase(), code };
}

/**
 * Other services' codes may have letters that ours can't have. Such a column has codes too, and its
 * rows are refused one by one.
 */
function couldBeCode(text: string): boolean {
  return isCode(text.replace(/[^\0-\x7f]/g, 'x'));
}

/** Capital letters, blanks and signs don't matter. */
function simplify(name: string): string {
  return name.toLowerCase().replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '');
}

/** Reads the first line. Throws an {@link ImportFileError} if no column has the destinations. */
export function readHeader(file: string, names: string[]): Columns {
  const simple = names.map(simplify);
  const service = findService(simple);
  const findColumn = (field: FieldName) => {
    const theirs = service?.columns?.[field];
    if (theirs && simple.includes(theirs)) return simple.indexOf(theirs);
    const known: readonly string[] = linkFields[field].columns;
    const found = names.filter((_, index) => known.includes(simple[index] ?? ''));
    if (found.length < 2) return simple.findIndex((name) => known.includes(name));
    throw expected(file, `one column for ${field}`, `${listNames(found)}. Delete the others`);
  };
  const findExtra = (known: string[]) =>
    service ? simple.findIndex((name) => known.includes(name)) : -1;
  const positions = Object.fromEntries([
    ...fieldNames.map((name) => [name, findColumn(name)]),
    ...Object.entries(extraColumns).map(([name, known]) => [name, findExtra(known)]),
  ]) as Columns['positions'];
  if (positions.url !== -1) return { names, service: service?.name, positions };
  throw new ImportFileError(
    `Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
      `with commas, semicolons or tabs between them; got ${listNames(names, ',')}.`,
  );
}

/** The same without the columns that have the codes. */
export function ignoreCodes(columns: Columns): Columns {
  return { ...columns, positions: { ...columns.positions, code: -1, custom: -1 } };
}

/** A column of the file that isn't a field, as far as it's been read. */
class OtherColumn {
  readonly index: number;
  readonly name: string;
  #filled = 0;
  #codes = 0;
  #shortLinks = 0;
  #host: string | undefined;
  /** Different codes among the first ones. */
  readonly #sample = new Set<string>();
  #sampled = 0;

  constructor(index: number, name: string) {
    this.index = index;
    this.name = name || `column ${index + 1}`;
  }

  add(cell: string, url: string): void {
    this.#filled += 1;
    const link = splitShortLink(cell);
    const code = link?.code ?? cell;
    if (!link && !couldBeCode(cell)) return;
    this.#codes += 1;
    if (this.#sampled < maxSampledCells) {
      this.#sampled += 1;
      this.#sample.add(code);
    }
    // A page or an image of the destination's site isn't a short link.
    if (!link || url.toLowerCase().includes(link.host)) return;
    this.#host ??= link.host;
    if (link.host === this.#host) this.#shortLinks += 1;
  }

  /** Most cells are addresses such as s.example/spring, on one host. */
  get hasShortLinks(): boolean {
    return this.#isVaried && 2 * this.#shortLinks > this.#filled;
  }

  /** Most cells could be codes, or the name says that they are. */
  get mayHaveCodes(): boolean {
    const known: readonly string[] = Object.values(extraColumns).flat();
    if (known.includes(simplify(this.name))) return false;
    return this.isNamedLikeCodes || (this.#isVaried && 2 * this.#codes > this.#filled);
  }

  get isNamedLikeCodes(): boolean {
    return linkFields.code.otherNames.test(simplify(this.name));
  }

  /** Two links rarely have the same code, but many have the same colour. */
  get #isVaried(): boolean {
    return 2 * this.#sample.size > this.#sampled;
  }
}

/** Reads a file's cells in order to find out what its columns are. */
export class ColumnFinder {
  readonly #file: string;
  readonly #columns: Columns;
  readonly #others = new Map<number, OtherColumn>();
  #rows = 0;
  #rowsWithCode = 0;

  constructor(file: string, columns: Columns) {
    this.#file = file;
    this.#columns = columns;
  }

  /** Throws an {@link ImportFileError} if the row has more cells than the first line. */
  add({ line, cells }: CsvRecord): void {
    const { names, positions } = this.#columns;
    const known = Object.values(positions);
    this.#rows += 1;
    if (isFilled(cells[positions.code] ?? '')) this.#rowsWithCode += 1;
    for (const [index, cell] of cells.entries()) {
      if (known.includes(index) || !isFilled(cell)) continue;
      if (index >= names.length)
        throw new ImportFileError(
          `Expected line ${line} of ${this.#file} to end after the first line's columns (${names.length}); ` +
            `got ${cells.length} cells. Put quotes around a cell that has the separator in it.`,
        );
      const other = this.#others.get(index) ?? new OtherColumn(index, names[index] ?? '');
      this.#others.set(index, other);
      other.add(cell, cells[positions.url] ?? '');
    }
  }

  /**
   * What the columns are. The one with short links has the codes of the rows whose cell in the column
   * called code is empty.
   */
  find(): FoundColumns {
    const columns = this.#columns;
    const { code, custom } = columns.positions;
    const others = this.#listOthers();
    const found = this.#rowsWithCode < this.#rows ? findShortLinks(others) : undefined;
    if (!found) {
      const suspect = others.find(({ mayHaveCodes }) => mayHaveCodes);
      const isLost = this.#rowsWithCode === 0;
      return { columns, unused: others.map(nameOf), suspect: isLost ? suspect?.name : undefined };
    }
    const unused = others.filter((other) => other !== found).map(nameOf);
    const preferred = custom === -1 ? code : custom;
    const positions = { ...columns.positions, code: found.index, custom: preferred };
    return { columns: { ...columns, positions }, unused, found: found.name };
  }

  /** The same, but every link gets a new code. */
  findWithoutCodes(): FoundColumns {
    return { columns: this.#columns, unused: this.#listOthers().map(nameOf) };
  }

  #listOthers(): OtherColumn[] {
    return [...this.#others.values()].toSorted((a, b) => a.index - b.index);
  }
}

function nameOf({ name }: OtherColumn): string {
  return name;
}

function findShortLinks(others: OtherColumn[]): OtherColumn | undefined {
  const [first, second] = others.filter(({ hasShortLinks }) => hasShortLinks);
  if (!first || second) return undefined;
  const isOnlyOne = others.every((other) => other === first || !other.mayHaveCodes);
  return isOnlyOne || first.isNamedLikeCodes ? first : undefined;
}

/** Why a file isn't imported without a yes. */
export function explainSuspect(suspect: string, file: string): string {
  return (
    `The column ${suspect} of ${file} may have the codes. It isn't imported, so every link would get a new ` +
    'code, and links that are printed somewhere would stop working. To keep its codes, rename it to code.'
  );
}

/** What the columns with another name than ours are. */
export function describeColumns({ names, positions }: Columns): string {
  const places: [number, string][] = [
    ...fieldNames.map((field): [number, string] => [positions[field], `is the ${field}`]),
    [positions.custom, 'is the code where it is filled'],
    [positions.clicks, 'is in the note'],
    [positions.created, 'is in the note'],
  ];
  return places
    .flatMap(([index, place]) =>
      index === -1 ? [] : [`${listNames([names[index] ?? ''])} ${place}`],
    )
    .join(', ');
}

export function listNames(names: string[], separator = ', '): string {
  return names.join(separator).replace(/\s+/g, ' ').slice(0, maxListedCharacters);
}
