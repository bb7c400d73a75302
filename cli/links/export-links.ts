import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { byteOrderMark } from '../../lib/links/import-export/csv-cells.ts';
import type { Stack } from '../stack.ts';
import { formatJson, print } from '../terminal/print.ts';
import { listLinks, readLinksAsCsv, readStats } from './api-client.ts';

export interface ExportOptions {
  format: 'csv' | 'json';
  from?: string;
  to?: string;
  /** A file instead of stdout. */
  output?: string;
}

/**
 * Exports all of the caller's links, or one link's days and breakdowns. It holds one page at a time.
 * @throws {CommandError} if the API doesn't answer.
 */
export async function exportLinks(stack: Stack, code: string | undefined, options: ExportOptions) {
  const parts = code === undefined ? readAll(stack, options) : readOne(stack, code, options);
  if (options.output === undefined) {
    for await (const part of parts) print(part);
  } else {
    const content = options.format === 'csv' ? markEncoding(parts) : parts;
    await pipeline(content, createWriteStream(options.output));
  }
}

/** Excel opens files, and other programs read what is printed. Reading a response removes its mark. */
async function* markEncoding(parts: AsyncIterable<string>) {
  yield byteOrderMark;
  yield* parts;
}

async function* readOne(stack: Stack, code: string, { format, from, to }: ExportOptions) {
  const text = await readStats(stack, code, { format, ...(from && { from }), ...(to && { to }) });
  yield format === 'json' ? `${formatJson(JSON.parse(text), 2)}\n` : text;
}

async function* readAll(stack: Stack, { format }: ExportOptions) {
  if (format === 'csv') return yield* readLinksAsCsv(stack);
  let separator = '[\n';
  for await (const link of listLinks(stack)) {
    yield `${separator}${formatJson(link)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
