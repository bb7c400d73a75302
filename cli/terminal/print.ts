// Control and format characters, line separators and halves of surrogate pairs: they move the
// cursor, colour or reverse a line, or break it.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeButNewline = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeInCell = /[^\x21-\x7e]/gu;
const ellipsis = '…';

/** Spells out whatever could control a terminal, line breaks included: an escape becomes `\u{1b}`. */
export function escapeText(text: string): string {
  return text.replace(unsafe, spellOut);
}

/**
 * Formats foreign text for a column of a table, padded or cut to the width. Characters other
 * than visible ASCII are spelled out, blanks included, so the width is known and no cell looks empty.
 */
export function formatCell(text: string, width: number): string {
  const characters = Array.from(text, (character) => character.replace(unsafeInCell, spellOut));
  const cell = characters.join('');
  if (cell.length <= width) return cell.padEnd(width);
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length >= width) break;
    kept += character;
  }
  return `${kept}${ellipsis}`.padEnd(width);
}

/** Like JSON.stringify, but spells out whatever could control a terminal, as JSON does. */
export function formatJson(value: object, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  // Its only line breaks are those of the indentation.
  return json.replace(unsafeButNewline, spellOutAsJson);
}

/** Prints one line to stdout, whatever the text contains. */
export function printLine(text: string): void {
  print(`${escapeText(text)}\n`);
}

/** Prints text. Its line breaks must be ours; whatever else could control a terminal is spelled out. */
export function print(text: string, output: NodeJS.WritableStream = process.stdout): void {
  output.write(text.replace(unsafeButNewline, spellOut));
}

function spellOut(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function spellOutAsJson(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
