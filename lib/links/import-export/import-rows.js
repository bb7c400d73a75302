import { describeContent, fieldNames, lines, linkFields, mapLines, splitTags, } from '../rules/link-fields.ts';
import { byteOrderMark, formatLine, readCell } from './csv-cells.ts';
import { ColumnFinder, describeColumns, ignoreCodes, listNames, readHeader, } from './import-columns.ts';
import { ImportFileError } from './import-file.ts';
import { describePast } from './services.ts';
import { readCode } from './unknown-column.ts';
// The API's limits.
const maxRowsPerRequest = 100;
const maxRequestBytes = 180000;
// Longer ones are refused anyway.
const maxSentCharacters = 2100;
const maxSentTags = 11;
const maxSentTag = 60;
const maxTags = 10;
const maxTag = 50;
const maxShownCode = 80;
const resultColumns = ['line', 'url', 'code', 'shortUrl', 'outcome', 'message'];
/**
 * Reads all of a file's records to find out what its columns are. With `newCodes`, its codes are ignored.
 * Throws an {@link ImportFileError} if the header or a row isn't as expected.
 */
export async function surveyRecords(file, records, { newCodes = false } = {}) {
    let rows = 0;
    let cut = 0;
    let header;
    let finder;
    for await (const record of records) {
        if (header && finder) {
            finder.add(record);
            rows += 1;
            if (readFields(header, record.cells).isCut)
                cut += 1;
        }
        else {
            const named = readHeader(file, record.cells);
            header = newCodes ? ignoreCodes(named) : named;
            finder = new ColumnFinder(file, header);
        }
    }
    if (!header || !finder)
        throw new ImportFileError(`${file} is empty.`);
    const { columns, unused, found, suspect } = newCodes ? finder.findWithoutCodes() : finder.find();
    const notes = [
        ...(columns.service ? [`An export of ${columns.service}: ${describeColumns(columns)}.`] : []),
        ...(found === undefined ? [] : [`${listNames([found])} has the codes.`]),
        ...(cut > 0 ? [`Rows whose texts were too long, and were cut: ${cut}.`] : []),
        ...(unused.length > 0 ? [`These columns aren't imported: ${listNames(unused)}.`] : []),
    ];
    const shown = suspect === undefined ? undefined : listNames([suspect]);
    return { rows, columns, notes: notes.join(' '), suspect: shown };
}
/** Turns a surveyed file's records into rows. `digest` returns a text's SHA-256 in base64url. */
export async function* readRecords(records, columns, digest) {
    const counts = new Map();
    let isHeader = true;
    for await (const { line, cells } of records) {
        if (isHeader) {
            isHeader = false;
            continue;
        }
        const { fields } = readFields(columns, cells);
        const content = describeContent({ ...fields });
        // A second row with the same content is a second link.
        const id = await digest(content);
        const count = counts.get(id) ?? 0;
        counts.set(id, count + 1);
        yield { line, key: await digest(`${content} ${count}`), ...fields };
    }
}
/** Reads a row's cells. A service may allow longer texts than this one, which are cut. */
function readFields(columns, cells) {
    const texts = readTexts(columns, cells);
    const values = fieldNames.map((name) => [name, readValue(name, texts[name])]);
    const fields = { ...Object.fromEntries(values), url: texts.url ?? '' };
    return columns.service ? cutTexts(fields) : { fields, isCut: false };
}
function readTexts({ service, positions }, cells) {
    const read = (name) => readCell(cells[positions[name]] ?? '').trim();
    const texts = Object.fromEntries(fieldNames.map((name) => [name, read(name) || undefined]));
    // A service lists several codes of its link. The first one replaces a random one.
    const [custom = ''] = service ? read('custom').split(/[,;|\s]/, 1) : [read('custom')];
    const past = describePast(service ?? '', read('clicks'), read('created'));
    return {
        ...texts,
        code: readCode(custom || texts.code || '') || undefined,
        expiresAt: texts.expiresAt === 'null' ? undefined : texts.expiresAt,
        note: [texts.note, past].filter(Boolean).join('; ') || undefined,
    };
}
function readValue(name, text) {
    const { kind } = linkFields[name];
    if (kind === 'list')
        return text && splitTags(text);
    return kind === 'flag' || kind === 'switch' ? readFlag(text) : text;
}
/** A flag that is off isn't sent. */
function readFlag(text = 'false') {
    if (/^false$/i.test(text))
        return undefined;
    return /^true$/i.test(text) || text.slice(0, 20);
}
function cutTexts(row) {
    let isCut = false;
    const cutTo = (text, most) => {
        const fit = cut(text, most);
        if (fit !== text)
            isCut = true;
        return fit;
    };
    const texts = mapLines((name) => row[name] && cutTo(row[name], lines[name].most));
    const tags = row.tags?.slice(0, maxTags).map((tag) => cutTo(tag, maxTag));
    if (tags?.length !== row.tags?.length)
        isCut = true;
    return { fields: { ...row, ...texts, tags }, isCut };
}
/** Cuts a text before the character that would make it too long. */
function cut(text, most) {
    const line = text.replace(/\s+/g, ' ').normalize();
    if (line.length <= most)
        return text;
    const { index = 0 } = new Intl.Segmenter().segment(line).containing(most - 1) ?? {};
    return `${line.slice(0, index)}…`;
}
/** Groups rows for the API's requests. */
export async function* listBatches(rows) {
    let batch = [];
    let bytes = 0;
    for await (const row of rows) {
        batch.push(row);
        bytes += new TextEncoder().encode(JSON.stringify(toItem(row))).length;
        if (batch.length < maxRowsPerRequest && bytes < maxRequestBytes)
            continue;
        yield batch;
        batch = [];
        bytes = 0;
    }
    if (batch.length > 0)
        yield batch;
}
export function toItem({ line: _, key, ...fields }) {
    const shortened = Object.entries(fields).map(([name, value]) => [name, shorten(value)]);
    return { key, ...Object.fromEntries(shortened) };
}
function shorten(value) {
    if (Array.isArray(value))
        return value.slice(0, maxSentTags).map((tag) => tag.slice(0, maxSentTag));
    return typeof value === 'string' ? value.slice(0, maxSentCharacters) : value;
}
/** Names a refused row by its line, and by its code if it has one. */
export function describeRow({ line, code }) {
    return code === undefined ? `Line ${line}` : `Line ${line}, code ${shortenCode(code)}`;
}
function shortenCode(code) {
    return code.length > maxShownCode ? `${code.slice(0, maxShownCode)}…` : code;
}
/** The first line of a result file. */
export const resultHeader = `${byteOrderMark}${formatLine(resultColumns)}`;
/** Lines of a result file, with the short links. */
export function formatResults(rows, outcomes) {
    return rows
        .map(({ line, url, code }, index) => {
        const result = { line, url, code, ...outcomes[index] };
        return formatLine(resultColumns.map((column) => result[column]));
    })
        .join('');
}
