// Each targets a kind of weak code: backtracking patterns, lists of suffixes, decoders, recursive
// parsers, and limits in characters instead of bytes.
const parts = [
  ...['a', '0', '.', '/', ';', ',', ':', '-', '%', '@', ' ', '\\', '?', '&', '=', '"', '\t', '\0'],
  ...['a.', 'a,', '1.', '; ', 'W/"a",', 'br;', 'xn--a.', '%61', '%C3%A9', '%zz'],
  ...['é', '\ud800', '\udc00', '😀', 'ﷺ', '[', '{"a":'],
];

/** The worst texts of this length: repeated parts, alone or between a valid start and an invalid end. */
export function listTexts(length: number, start = ''): string[] {
  const end = '!b';
  return parts.flatMap((part) => {
    const run = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    const inside = run.slice(0, Math.max(0, length - start.length - end.length));
    return [run, `${start}${inside}${end}`];
  });
}

/** The worst JSON texts of this length, for any field, including invalid ones. */
export function listJson(length: number): string[] {
  const fill = (part: (index: number) => string) => {
    const count = Math.floor(length / part(length).length);
    return Array.from({ length: count }, (_, index) => part(index)).join();
  };
  const half = Math.floor(length / 2);
  const fifth = Math.floor(length / 6);
  return [
    ...['[', '{"a":', '"', '"\\', '9', ' ', '\\u', '-'].map((part) => part.repeat(half)),
    `${'['.repeat(half)}${']'.repeat(half)}`,
    `${'{"a":'.repeat(fifth)}1${'}'.repeat(fifth)}`,
    `[${fill(() => '1')}]`,
    `[${fill(() => '{}')}]`,
    `[${fill(() => '"a b"')}]`,
    `{${fill((index) => `"k${index}":1`)}}`,
    `{${fill((index) => `"${index * 7}":1`)}}`,
    `{${fill(() => '"a":1')}}`,
    `{"__proto__":{${fill((index) => `"k${index}":1`)}},"constructor":{"prototype":{}}}`,
    `"${'\\ud800'.repeat(fifth)}"`,
    `1e${'9'.repeat(half)}`,
    `0.${'0'.repeat(half)}1`,
  ];
}

/** This object as JSON, with each field in turn, nested ones included, replaced by the worst values. */
export function* listBodies(valid: object, bytes: number): Generator<string> {
  yield* listJson(bytes);
  for (const [embed, value] of listFields(valid)) {
    for (const json of listJson(bytes)) yield embed(json);
    const start = typeof value === 'string' ? value : '';
    // Below the limits of ids, of URLs and of the whole request.
    for (const length of [250, 2_000, Math.floor(bytes / 6)]) {
      for (const text of listTexts(length, start)) yield embed(JSON.stringify(text));
    }
  }
}

type Embed = (json: string) => string;

function listFields(valid: object): [Embed, unknown][] {
  return Object.entries(valid).flatMap(([name, value]) => {
    const embed: Embed = (json) => {
      const others = Object.entries({ ...valid, [name]: undefined });
      const fields = others.map(([other, found]) => [other, JSON.stringify(found) ?? json]);
      return `{${fields.map(([other, found]) => `"${other}":${found}`).join()}}`;
    };
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const inner = isObject ? listFields(value) : [];
    return [
      [embed, value],
      ...inner.map(([within, found]): [Embed, unknown] => [(json) => embed(within(json)), found]),
    ];
  });
}
