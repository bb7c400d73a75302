// Control and format characters, line separators and halves of surrogate pairs: they move the
// cursor, colour or reverse a line, or break it.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeButNewline = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const unsafeInCell = /[^\x21-\x7e]/gu;
const ellipsis = '…';
/** Escapes characters that could control a terminal, even line breaks: ESC becomes `\u{1b}`. */
export function escapeText(text) {
    return text.replace(unsafe, spellOut);
}
/**
 * Formats untrusted text for a table's column, padded or truncated to its width. Escapes everything
 * but visible ASCII, even blanks, so the width is known and cells never look empty.
 */
export function formatCell(text, width) {
    const characters = Array.from(text, (character) => character.replace(unsafeInCell, spellOut));
    const cell = characters.join('');
    if (cell.length <= width)
        return cell.padEnd(width);
    let kept = '';
    for (const character of characters) {
        if (kept.length + character.length >= width)
            break;
        kept += character;
    }
    return `${kept}${ellipsis}`.padEnd(width);
}
/** Like JSON.stringify, but also escapes characters that could control a terminal. */
export function formatJson(value, indent) {
    const json = JSON.stringify(value, null, indent);
    // Line breaks occur only in the indentation.
    return json.replace(unsafeButNewline, spellOutAsJson);
}
/** Prints one line to stdout, with control characters escaped. */
export function printLine(text) {
    print(`${escapeText(text)}\n`);
}
/** Prints text whose line breaks are ours, and escapes all other control characters. */
export function print(text, output = process.stdout) {
    output.write(text.replace(unsafeButNewline, spellOut));
}
/** `1 click`, `2 clicks`. */
export function count(amount, noun) {
    return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
function spellOut(character) {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
function spellOutAsJson(character) {
    const units = character.split('').map((unit) => unit.charCodeAt(0));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
