// The service, the import command and the page share this file, so it must run in browsers too.

// A spreadsheet takes a cell for a formula if it begins with one of these signs. It may take ";", "|",
// tabs and line breaks for the end of a cell, even between quotes, and ignore quotes and blanks.
const beforeFormula = /(^|[;|\t\r\n])(?=[ "']*[-=+@＝＋－＠])/g;
const apostropheBeforeFormula = /(^|[;|\t\r\n])'(?=[ "']*[-=+@＝＋－＠])/g;

/** The beginning of a CSV file. Without it, Excel takes UTF-8 for another encoding. */
export const byteOrderMark = '\ufeff';

/** A line of CSV. An apostrophe in front of each possible formula turns it into text. */
export function formatLine(cells: readonly unknown[]): string {
  return `${cells.map((cell = '') => formatCell(`${cell}`)).join(',')}\n`;
}

function formatCell(text: string): string {
  const safe = text.replace(beforeFormula, "$1'");
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Removes the apostrophes of {@link formatLine}. */
export function readCell(text: string): string {
  return text.replace(apostropheBeforeFormula, '$1');
}
