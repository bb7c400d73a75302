import { stripVTControlCharacters } from 'node:util';

/** Characters that look alike: `style` names their classes, such as "bold green". */
export interface Run {
  text: string;
  style: string;
}

interface Character {
  char: string;
  style: string;
}

const codes: Record<number, string> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};
const escapeCharacter = String.fromCharCode(27);
const styleSequence = new RegExp(`${escapeCharacter}\\[([\\d;]*)m`);
const weights = ['bold', 'dim'];
const indent: Character[] = Array(2).fill({ char: ' ', style: '' });

/** The styles that a line can have. */
export const styles: string[] = Object.values(codes);

/**
 * Breaks a line of a terminal's output into rows of at most `columns` characters, at a space if there
 * is one. Rows after the first are indented.
 */
export function wrapLine(line: string, columns: number): Run[][] {
  const rows: Character[][] = [];
  let rest = readCharacters(line);
  while (rest.length > columns) {
    const space = rest.slice(0, columns + 1).findLastIndex(({ char }) => char === ' ');
    const isAfterWord = rest.slice(0, Math.max(space, 0)).some(({ char }) => char !== ' ');
    const end = isAfterWord ? space : columns;
    rows.push(rest.slice(0, end));
    const next = rest.findIndex(({ char }, index) => index >= end && char !== ' ');
    if (next === -1) return rows.map(joinRuns);
    rest = [...indent, ...rest.slice(next)];
  }
  return [...rows, rest].map(joinRuns);
}

/** Reads the styles that escape sequences select, and drops all other sequences. */
function readCharacters(line: string): Character[] {
  const characters: Character[] = [];
  let active: string[] = [];
  for (const [index, part] of line.split(styleSequence).entries()) {
    // The parts alternate: text, the codes behind it, text, and so on.
    if (index % 2 === 1) active = part.split(';').map(Number).reduce(select, active);
    else {
      const style = active.join(' ');
      for (const char of stripVTControlCharacters(part)) characters.push({ char, style });
    }
  }
  return characters;
}

function select(active: string[], code: number): string[] {
  if (code === 0) return [];
  if (code === 22) return active.filter((style) => !weights.includes(style));
  if (code === 39) return active.filter((style) => weights.includes(style));
  const style = codes[code];
  return style === undefined || active.includes(style) ? active : [...active, style];
}

function joinRuns(characters: Character[]): Run[] {
  const runs: Run[] = [];
  for (const { char, style } of characters) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += char;
    else runs.push({ text: char, style });
  }
  return runs;
}
