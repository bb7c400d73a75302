import querystring from 'node:querystring';
import { spellTag } from '../clean-text.ts';

export const campaignParameters = ['utm_source', 'utm_medium', 'utm_campaign'] as const;
export type Parameter = (typeof campaignParameters)[number];

/** The campaign of a visit: the values of the parameters that it has. */
export type Campaign = { [Name in Parameter]?: string };

const maxValueBytes = 40;
const maxReadCharacters = 500;

// "&" or a second "?" before such a parameter, also as HTML writes it.
const separator = /(?:&(?:amp|#0{0,3}38|#x26);|[?&;]){1,5}(?=\s{0,5}utm_[a-z]+\s{0,5}=)/i;
const parameter = /^\s*(utm_[a-z]+)\s*=(.*)$/is;
const endsOfSentences = `.,;:"'>)]}»”’」』】）。…`;

/** Reads the campaign from a query. Of a parameter that comes twice, the first with a value counts. */
export function readCampaign(query = ''): Campaign {
  const sent = listUtmParameters(query).map(([name, value]) => ({
    name,
    value: spellValue(value),
  }));
  return Object.fromEntries(
    campaignParameters.flatMap((name) => {
      const first = sent.find((parameter) => parameter.name === name && parameter.value !== '');
      return first ? [[name, first.value]] : [];
    }),
  );
}

/** Reads the campaign from an event's detail. Values of other types than strings are ignored. */
export function chooseCampaign(detail: Readonly<Record<string, unknown>>): Campaign {
  const values = campaignParameters.map((name) => [name, spellValue(detail[name])]);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** In lower case, without control and invisible characters, and at most 40 bytes long. */
function spellValue(value: unknown): string {
  if (typeof value !== 'string') return '';
  let spelled = '';
  let bytes = 0;
  for (const character of spellTag(value.slice(0, maxReadCharacters))) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxValueBytes) break;
    spelled += character;
  }
  return spelled.trimEnd();
}

/**
 * The UTM parameters of a query, as a careful person would read it. Mail programs and link builders write
 * `&amp;`, a second `?`, capital letters, or percent signs twice, and chats append a bracket or a tag.
 * Parameters inside another one's value come last, because they may belong to another address.
 */
function listUtmParameters(query: string): [name: string, value: string][] {
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
