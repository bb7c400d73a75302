// The import command and the page share this file, so it must run in Node.js and in browsers.

import { type FieldName, fieldNames, linkFields } from '../rules/link-fields.ts';
import { type CsvRecord, expected, ImportFileError, isFilled } from './import-file.ts';
import { extraColumns, findService } from './other-services.ts';
import { simplify, UnknownColumn } from './unknown-column.ts';

export type ExtraName = keyof typeof extraColumns;
/** What a column can be. */
export type Meaning = FieldName | ExtraName;

/** What the columns of a file are. */
export interface Columns {
  names: string[];
  /** The service whose export this is. */
  service?: string;
  /** The positions of the columns of the fields, and of a service's own, or -1. */
  positions: Record<FieldName | ExtraName, number>;
}

const maxListedCharacters = 80;

export interface FoundColumns {
  columns: Columns;
  /** The names of the columns that aren't imported. */
  unused: string[];
  /** The column that has the codes, although it isn't called so. */
  found?: string;
  /** A column that may have codes, which would be lost. */
  suspect?: string;
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

/** Columns whose meaning isn't known. */
export function unknownColumns(names: string[]): Columns {
  const places = [...fieldNames, ...Object.keys(extraColumns)].map((name) => [name, -1]);
  return { names, positions: Object.fromEntries(places) as Columns['positions'] };
}

/** The same with another meaning of a column, or with none. Each meaning has one column. */
export function chooseColumn(columns: Columns, index: number, meaning?: Meaning): Columns {
  const others = Object.entries(columns.positions).map(([name, place]) => [
    name,
    place === index ? -1 : place,
  ]);
  const positions: Columns['positions'] = Object.fromEntries(others);
  return { ...columns, positions: meaning ? { ...positions, [meaning]: index } : positions };
}

/** The same without the columns that have the codes. */
export function ignoreCodes(columns: Columns): Columns {
  return { ...columns, positions: { ...columns.positions, code: -1, custom: -1 } };
}

/** Reads a file's cells in order to find out what its columns are. */
export class ColumnFinder {
  readonly #file: string;
  readonly #columns: Columns;
  readonly #others = new Map<number, UnknownColumn>();
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
      const other = this.#others.get(index) ?? new UnknownColumn(index, names[index] ?? '');
      this.#others.set(index, other);
      other.add(cell, cells[positions.url] ?? '');
    }
  }

  /**
   * What the columns are. If one has short links or codes, it has those of the rows whose cell in the
   * column called code is empty.
   */
  find(): FoundColumns {
    const columns = this.#columns;
    const { code, custom } = columns.positions;
    const others = this.#listOthers();
    const found = this.#rowsWithCode < this.#rows ? findCodes(others) : undefined;
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

  #listOthers(): UnknownColumn[] {
    return [...this.#others.values()].toSorted((a, b) => a.index - b.index);
  }
}

function nameOf({ name }: UnknownColumn): string {
  return name;
}

function findCodes(others: UnknownColumn[]): UnknownColumn | undefined {
  const [first, second] = others.filter(({ hasCodes }) => hasCodes);
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
