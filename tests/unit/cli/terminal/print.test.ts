import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  escapeText,
  formatCell,
  formatJson,
  print,
  printLine,
} from '../../../../cli/terminal/print.ts';

// C0 and C1 controls, bidirectional controls, line and paragraph separators.
const dangerous = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;
const findDangerous = (text: string): string[] => text.match(dangerous) ?? [];
const countLines = (text: string) => text.split('\n').length;

/** Strings of any UTF-16 units, of which many are dangerous or come in two. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...'\u001b \u009b \u202e \u2028 \u0085 \n \t 👩‍👩‍👧 é'.split(' ')),
    ),
  )
  .map((parts) => parts.join(''));

function capture(act: () => void): string {
  using write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  act();
  return write.mock.calls.map(([chunk]) => chunk).join('');
}

test("any text in a cell is visible ASCII of the column's width", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
      const cell = formatCell(text, width);
      expect(cell).toHaveLength(width);
      expect(cell).toMatch(/^[\x21-\x7e]*…? *$/);
    }),
  );
});

test('formatJson round-trips any text without characters that could control a terminal', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText), fc.nat({ max: 2 }), (value, indent) => {
      const json = formatJson(value, indent);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(findDangerous(json).join('')).toMatch(/^\n*$/);
      expect(countLines(json)).toBe(countLines(JSON.stringify(value, null, indent)));
    }),
  );
});

test('printLine prints any text as one line, and print keeps its line breaks', () => {
  const isSafe = fc.property(anyText, (text) => {
    const line = capture(() => printLine(text));
    const lines = capture(() => print(text));

    expect(findDangerous(escapeText(text))).toEqual([]);
    expect(line.at(-1)).toBe('\n');
    expect(findDangerous(line)).toEqual(['\n']);
    expect(findDangerous(lines)).toEqual(Array(countLines(text) - 1).fill('\n'));
  });

  fc.assert(isSafe);
});
