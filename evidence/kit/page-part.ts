/**
 * Puts new content between two lines of a page.
 * @throws {Error} if a line is missing.
 */
export function replacePart(
  page: string,
  [begin, end]: readonly [begin: string, end: string],
  content: string,
): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`expected the page to have the lines "${begin}" and "${end}"; it has not`);
  }
  return `${page.slice(0, from)}${begin}\n\n${content}\n\n${page.slice(to)}`;
}
