// The import command and the page share this file, so it must run in Node.js and in browsers.
import { fieldNames, linkFields } from '../rules/link-fields.ts';
import { expected, ImportFileError, isFilled } from './import-file.ts';
import { extraColumns, findService } from './services.ts';
import { simplify, UnknownColumn } from './unknown-column.ts';
const maxListedCharacters = 80;
/** Reads the first line. Throws an {@link ImportFileError} if no column has the destinations. */
export function readHeader(file, names) {
    const simple = names.map(simplify);
    const service = findService(simple);
    const findColumn = (field) => {
        const theirs = service?.columns?.[field];
        if (theirs && simple.includes(theirs))
            return simple.indexOf(theirs);
        const known = linkFields[field].columns;
        const found = names.filter((_, index) => known.includes(simple[index] ?? ''));
        if (found.length < 2)
            return simple.findIndex((name) => known.includes(name));
        throw expected(file, `one column for ${field}`, `${listNames(found)}. Delete the others`);
    };
    const findExtra = (known) => service ? simple.findIndex((name) => known.includes(name)) : -1;
    const positions = Object.fromEntries([
        ...fieldNames.map((name) => [name, findColumn(name)]),
        ...Object.entries(extraColumns).map(([name, known]) => [name, findExtra(known)]),
    ]);
    if (positions.url !== -1)
        return { names, service: service?.name, positions };
    throw new ImportFileError(`Expected the first line of ${file} to name the columns: url and, if you like, code and expiresAt, ` +
        `with commas, semicolons or tabs between them; got ${listNames(names, ',')}.`);
}
/** The same without the columns that have the codes. */
export function ignoreCodes(columns) {
    return { ...columns, positions: { ...columns.positions, code: -1, custom: -1 } };
}
/** Reads a file's cells in order to find out what its columns are. */
export class ColumnFinder {
    #file;
    #columns;
    #others = new Map();
    #rows = 0;
    #rowsWithCode = 0;
    constructor(file, columns) {
        this.#file = file;
        this.#columns = columns;
    }
    /** Throws an {@link ImportFileError} if the row has more cells than the first line. */
    add({ line, cells }) {
        const { names, positions } = this.#columns;
        const known = Object.values(positions);
        this.#rows += 1;
        if (isFilled(cells[positions.code] ?? ''))
            this.#rowsWithCode += 1;
        for (const [index, cell] of cells.entries()) {
            if (known.includes(index) || !isFilled(cell))
                continue;
            if (index >= names.length)
                throw new ImportFileError(`Expected line ${line} of ${this.#file} to end after the first line's columns (${names.length}); ` +
                    `got ${cells.length} cells. Put quotes around a cell that has the separator in it.`);
            const other = this.#others.get(index) ?? new UnknownColumn(index, names[index] ?? '');
            this.#others.set(index, other);
            other.add(cell, cells[positions.url] ?? '');
        }
    }
    /**
     * What the columns are. If one has short links or codes, it has those of the rows whose cell in the
     * column called code is empty.
     */
    find() {
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
    findWithoutCodes() {
        return { columns: this.#columns, unused: this.#listOthers().map(nameOf) };
    }
    #listOthers() {
        return [...this.#others.values()].toSorted((a, b) => a.index - b.index);
    }
}
function nameOf({ name }) {
    return name;
}
function findCodes(others) {
    const [first, second] = others.filter(({ hasCodes }) => hasCodes);
    if (!first || second)
        return undefined;
    const isOnlyOne = others.every((other) => other === first || !other.mayHaveCodes);
    return isOnlyOne || first.isNamedLikeCodes ? first : undefined;
}
/** Why a file isn't imported without a yes. */
export function explainSuspect(suspect, file) {
    return (`The column ${suspect} of ${file} may have the codes. It isn't imported, so every link would get a new ` +
        'code, and links that are printed somewhere would stop working. To keep its codes, rename it to code.');
}
/** What the columns with another name than ours are. */
export function describeColumns({ names, positions }) {
    const places = [
        ...fieldNames.map((field) => [positions[field], `is the ${field}`]),
        [positions.custom, 'is the code where it is filled'],
        [positions.clicks, 'is in the note'],
        [positions.created, 'is in the note'],
    ];
    return places
        .flatMap(([index, place]) => index === -1 ? [] : [`${listNames([names[index] ?? ''])} ${place}`])
        .join(', ');
}
export function listNames(names, separator = ', ') {
    return names.join(separator).replace(/\s+/g, ' ').slice(0, maxListedCharacters);
}
