import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface DatabaseDir extends AsyncDisposable {
  /** dynoxide's SQLite database. */
  file: string;
}

/** Creates a temporary directory for dynoxide's database, in memory on Linux. */
export async function createDatabaseDir(): Promise<DatabaseDir> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const dir = await mkdtempDisposable(path.join(parent, 'click-tally-dynoxide-'));
  const file = path.join(dir.path, 'dynoxide.db');
  return { file, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/**
 * Adds the index that dynoxide 1.2.1 lacks. Without it, each write to a table with a stream scans all of
 * the stream's records.
 */
export async function indexStreamRecords(file: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec(
    'CREATE INDEX stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  database.close();
}
