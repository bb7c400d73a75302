// A browser may begin to read the file after the click.
const keepMs = 60_000;

/** Saves a file among the browser's downloads. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(parts));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keepMs);
}
