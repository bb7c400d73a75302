import { listPlaces } from './places.ts';

// A night tries each text in each place. Otherwise, each place gets other texts.
const interval = Number(process.env.HOSTILE_INTERVAL ?? 10);
let texts = 0;
const choose = (list: string[]) => list.filter(() => texts++ % interval === 0);

// Each targets a kind of weak code: backtracking patterns, lists of suffixes, decoders, recursive
// parsers, and limits in characters instead of bytes.
const parts = [
  ...['a', '0', '.', '/', ';', ',', ':', '-', '%', '@', ' ', '\\', '?', '&', '=', '"', '\t', '\0'],
  ...['a.', 'a,', '1.', '; ', 'W/"a",', 'br;', 'xn--a.', '%61', '%C3%A9', '%zz'],
  ...['é', '\ud800', '\udc00', '😀', 'ﷺ', '[', '{"a":'],
];

// Characters that differ are slow to encode as Punycode, and marks to sort: ideographs, syllables, marks,
// and ideographs as labels of their own.
const alphabets = [
  { first: 0x4e00, size: 20_000, separator: '' },
  { first: 0xac00, size: 11_000, separator: '' },
  { first: 0x0300, size: 111, separator: '' },
  { first: 0x4e00, size: 20_000, separator: '.' },
].map(({ first, size, separator }) =>
  Array.from(
    { length: size },
    (_, index) => String.fromCharCode(first + ((index * 7) % size)) + separator,
  ).join(''),
);

/**
 * Some of the worst texts of this length, alone or between a valid start and an invalid end: repeated parts,
 * and characters that differ.
 */
export function listTexts(length: number, start = ''): string[] {
  const end = '!b';
  const runs = [...parts, ...alphabets].map((part) => part.repeat(Math.ceil(length / part.length)));
  return choose(
    runs.flatMap((run) => {
      const inside = run.slice(0, Math.max(0, length - start.length - end.length));
      return [run.slice(0, length), `${start}${inside}${end}`];
    }),
  );
}

const known = new Map<number, string[]>();

/** Some of the worst JSON texts of this length, for any field, including invalid ones. */
export function listJson(length: number): string[] {
  const all = known.get(length) ?? makeJson(length);
  known.set(length, all);
  return choose(all);
}

function makeJson(length: number): string[] {
  const fill = (part: string) => `${part},`.repeat(length / (part.length + 1)).slice(0, -1);
  const fillInOrder = (part: (index: number) => string) => {
    const count = Math.floor(length / part(length).length);
    let text = part(0);
    for (let index = 1; index < count; index += 1) text += `,${part(index)}`;
    return text;
  };
  const half = Math.floor(length / 2);
  const fifth = Math.floor(length / 6);
  return [
    ...['[', '{"a":', '"', '"\\', '9', ' ', '\\u', '-'].map((part) => part.repeat(half)),
    `${'['.repeat(half)}${']'.repeat(half)}`,
    `${'{"a":'.repeat(fifth)}1${'}'.repeat(fifth)}`,
    `[${fill('1')}]`,
    `[${fill('{}')}]`,
    `[${fill('"a b"')}]`,
    `{${fillInOrder((index) => `"k${index}":1`)}}`,
    `{${fillInOrder((index) => `"${index * 7}":1`)}}`,
    `{${fill('"a":1')}}`,
    `{"__proto__":{${fillInOrder((index) => `"k${index}":1`)}},"constructor":{"prototype":{}}}`,
    `"${'\\ud800'.repeat(fifth)}"`,
    `1e${'9'.repeat(half)}`,
    `0.${'0'.repeat(half)}1`,
  ];
}

/** This example as JSON, with the worst values at each place and at most this many elements in an array. */
export function* listBodies(example: object, bytes: number, items = 1): Generator<string> {
  for (const { isInArray, valid, embed } of listPlaces(example, { bytes, items })) {
    for (const json of listJson(isInArray ? 2_000 : bytes)) yield embed(json);
    const start = typeof valid === 'string' ? valid : '';
    // Below the limits of ids, of URLs and of the whole request.
    const lengths = [250, 2_000, ...(isInArray ? [] : [Math.floor(bytes / 6)])];
    for (const length of typeof valid === 'object' ? [250] : lengths) {
      for (const text of listTexts(length, start)) yield embed(JSON.stringify(text));
    }
  }
}
