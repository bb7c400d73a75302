// Pasted text often has invisible characters around it. A variation selector may belong to an emoji.
const invisible =
  /[\s\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]/u;

/** Removes invisible characters from both ends. */
export function trimInvisible(text: string): string {
  const characters = [...text];
  const start = characters.findIndex((character) => !invisible.test(character));
  const end = characters.findLastIndex((character) => !invisible.test(character));
  return characters.slice(Math.max(start, 0), end + 1).join('');
}

// They'd hide or reorder what is shown. Emojis and Persian need the joiners U+200C and U+200D.
const deceptive =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** A text for one line. Equal texts are spelled alike. */
export function cleanText(text: string): string {
  const shown = text.toWellFormed().replace(deceptive, '');
  return trimInvisible(shown.replace(/[\s\p{Cc}]+/gu, ' ')).normalize();
}

/** A tag as it's stored. */
export function spellTag(tag: string): string {
  return cleanText(tag.toLowerCase());
}
