import querystring from 'node:querystring';

// "&" or a second "?" before such a parameter, also as HTML writes it.
const separator = /(?:&(?:amp|#0{0,3}38|#x26);|[?&;]){1,5}(?=\s{0,5}utm_[a-z]+\s{0,5}=)/i;
const parameter = /^\s*(utm_[a-z]+)\s*=(.*)$/is;
const endsOfSentences = `.,;:"'>)]}»”’」』】）。…`;

/**
 * The UTM parameters of a query, as a careful person would read it. Mail programs and link builders write
 * `&amp;`, a second `?`, capital letters, or percent signs twice, and chats append a bracket or a tag.
 * Parameters inside another one's value come last, because they may belong to another address.
 */
export function listUtmParameters(query: string): [name: string, value: string][] {
  if (!/utm[_%]/i.test(query)) return [];
  const parts = query.split('&').filter((part) => part !== '');
  const texts = parts.map((part) => part.split('?').flatMap(splitDecoded));
  const last = texts.pop()?.map(trimSentence) ?? [];
  const own = [...texts, last].flatMap((some) => some.slice(0, 1));
  const inner = [...texts, last].flatMap((some) => some.slice(1));
  return [...own, ...inner].flatMap((text) => {
    const [, name, value = ''] = parameter.exec(text) ?? [];
    return name ? [[name.toLowerCase(), value]] : [];
  });
}

function splitDecoded(text: string): string[] {
  return decodeTwice(text.replaceAll('+', ' ')).split(separator);
}

/** Chats take the end of a sentence for a part of the address. A bracket may belong to the value. */
function trimSentence(text: string): string {
  if (/[([{]/.test(text)) return text;
  const [shown = ''] = text.split('<', 1);
  const characters = [...shown];
  const end = characters.findLastIndex((character) => !endsOfSentences.includes(character));
  return characters.slice(0, end + 1).join('');
}

/** A value may have a percent sign of its own, so the second time must be valid. */
function decodeTwice(text: string): string {
  const once = querystring.unescape(text);
  try {
    return decodeURIComponent(once);
  } catch {
    return once;
  }
}
