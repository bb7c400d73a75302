import * as z from 'zod/v4/core';
const mark = 'the place';
const markJson = JSON.stringify(mark);
/** All places of an example, whose arrays have one element, and the example with full arrays. */
export function listPlaces(example, limits) {
    const list = (value, isInArray, put) => [
        { isInArray, valid: value, embed: (json) => fillExample(put(mark), limits, json) },
        ...(Array.isArray(value)
            ? value.flatMap((element) => list(element, true, (marked) => put([marked])))
            : Object.entries(typeof value === 'object' ? (value ?? {}) : {}).flatMap(([name, inner]) => list(inner, isInArray, (marked) => put({ ...value, [name]: marked })))),
    ];
    return list(example, false, (marked) => marked);
}
let lastNumber = 0;
/** Keys and codes must differ, so each # becomes a number that no other text has. */
function nextNumber() {
    lastNumber += 1;
    return lastNumber.toString(36);
}
/** The example as JSON, with arrays that fill these limits, or have one element, and JSON at its mark. */
export function fillExample(example, { bytes, items } = { bytes: 0, items: 1 }, json = markJson) {
    const filled = JSON.stringify(example, (_, value) => {
        if (!Array.isArray(value) || value.length === 0)
            return value;
        const element = JSON.stringify(value[0]).replace(markJson, () => json);
        // The numbers in place of # take some of the room.
        const fitting = Math.floor((bytes * 0.95) / (Buffer.byteLength(element) + 1));
        return Array(Math.max(1, Math.min(items, fitting))).fill(value[0]);
    });
    return filled.replaceAll(markJson, () => json).replaceAll('#', nextNumber);
}
/** Throws if an example lacks a field of a schema, so a new field needs an example. */
export function checkExample(schema, example) {
    const given = JSON.stringify(example);
    const names = [];
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) => {
        if (key === 'properties')
            names.push(...Object.keys(value));
        return value;
    });
    const missing = names.filter((name) => !given.includes(`"${name}":`));
    if (missing.length > 0)
        throw new Error(`expected an example of ${missing.join()}; got ${given}`);
}
