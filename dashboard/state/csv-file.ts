import type { CsvRecord } from '../../lib/links/import-export/import-file.ts';
import type { loadLazyCode } from '../config.ts';
import { formatCount } from '../format.ts';

type LazyCode = Awaited<ReturnType<typeof loadLazyCode>>;

// The browser holds the file and its rows in memory.
const maxBytes = 5_000_000;
const maxHeaderCharacters = 65_536;

/** Reads a whole file, so that nothing is imported from one with a fault. Throws an `ImportFileError`. */
export async function readCsv(lazy: LazyCode, file: File): Promise<CsvRecord[]> {
  const { name, size } = file;
  const toMb = (bytes: number) => `${formatCount(Math.ceil(bytes / 1_000_000))} MB`;
  if (size > maxBytes)
    throw lazy.expected(name, `at most ${toMb(maxBytes)}`, `${toMb(size)}. Split it`);
  const text = decode(lazy, name, await file.arrayBuffer());
  const { options, explain } = lazy.createReader(name, text.slice(0, maxHeaderCharacters));
  try {
    return lazy.parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    throw error instanceof lazy.CsvError ? explain(error) : error;
  }
}

function decode(
  { createDecoder, encodingError }: LazyCode,
  name: string,
  bytes: ArrayBuffer,
): string {
  try {
    return createDecoder(new Uint8Array(bytes)).decode(bytes);
  } catch {
    throw encodingError(name);
  }
}

/** The command identifies rows in the same way, so both find each other's links. */
export async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
