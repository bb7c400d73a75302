import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export interface TotalRow {
  code: string;
  /** META.clicks; null without a META item. */
  clicks: number | null;
  /** The sum of the link's days. */
  sum: number;
}

export interface DayRow {
  code: string;
  day: string;
  /** STAT.count and the number of markers, in the first and the second scan. */
  count1: number;
  markers1: number;
  count2: number;
  markers2: number;
}

/** The figures from one page of a scan. */
export interface Page {
  totals: { code: string; clicks: number }[];
  days: { code: string; day: string; count: number }[];
  markers: { code: string; day: string }[];
}

// SQLite keeps a database without a name in a temporary file and deletes it on close.
const temporaryFile = '';
const cacheKib = 16_384;

/**
 * The figures of a table of any size. SQLite keeps a fixed amount in memory and the rest in a
 * temporary file (in TMPDIR), about 60 bytes for each link and each day.
 */
export class Recount {
  readonly #database = new DatabaseSync(temporaryFile);
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#database.exec(`
      PRAGMA cache_size = -${cacheKib}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE links (code PRIMARY KEY, clicks, sum NOT NULL DEFAULT 0) WITHOUT ROWID;
      CREATE TABLE days (code, day, count1 NOT NULL DEFAULT 0, markers1 NOT NULL DEFAULT 0,
        count2 NOT NULL DEFAULT 0, markers2 NOT NULL DEFAULT 0,
        PRIMARY KEY (code, day)) WITHOUT ROWID;
    `);
  }

  /** Adds a page of the first scan. Days before `firstDay` only add to their link's sum. */
  addPage({ totals, days, markers }: Page, firstDay: string): void {
    this.#write(() => {
      for (const { code, clicks } of totals) {
        this.#run(
          'INSERT INTO links (code, clicks) VALUES (?, ?) ON CONFLICT DO UPDATE SET clicks = excluded.clicks',
          code,
          clicks,
        );
      }
      for (const { code, day, count } of days) {
        this.#run(
          'INSERT INTO links (code, sum) VALUES (?, ?) ON CONFLICT DO UPDATE SET sum = sum + excluded.sum',
          code,
          count,
        );
        if (day >= firstDay) this.#addToDay('count1', code, day, count);
      }
      for (const { code, day } of markers) {
        if (day >= firstDay) this.#addToDay('markers1', code, day, 1);
      }
    });
  }

  /** Adds a page of the second scan, in which only uneven days matter. */
  addSecondPage({ days, markers }: Page): void {
    this.#write(() => {
      for (const { code, day, count } of days) this.#addToUnevenDay('count2', code, day, count);
      for (const { code, day } of markers) this.#addToUnevenDay('markers2', code, day, 1);
    });
  }

  /** Sums up the links, their clicks, the recounted days and their markers. */
  sumUp(): { links: number; clicks: number; days: number; markers: number } {
    const links = this.#prepare('SELECT count(*) AS links, total(clicks) AS clicks FROM links');
    const days = this.#prepare('SELECT count(*) AS days, total(markers1) AS markers FROM days');
    return { ...links.get(), ...days.get() } as ReturnType<Recount['sumUp']>;
  }

  /** Finds links whose total is not the sum of their days. */
  unevenTotals(): Iterable<TotalRow> {
    return this.#select('SELECT * FROM links WHERE clicks IS NOT sum');
  }

  hasUnevenDays(): boolean {
    return this.#prepare('SELECT 1 FROM days WHERE count1 <> markers1 LIMIT 1').get() !== undefined;
  }

  /**
   * Finds the days whose difference new clicks cannot explain. New clicks only add, so the second
   * scan must find at least as many markers as the first found counts, and the other way round.
   */
  driftedDays(): Iterable<DayRow> {
    return this.#select(`SELECT * FROM days
      WHERE count1 <> markers1 AND (count1 > markers2 OR markers1 > count2)`);
  }

  close(): void {
    this.#database.close();
  }

  #addToDay(column: 'count1' | 'markers1', code: string, day: string, amount: number): void {
    this.#run(
      `INSERT INTO days (code, day, ${column}) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`,
      code,
      day,
      amount,
    );
  }

  #addToUnevenDay(column: 'count2' | 'markers2', code: string, day: string, amount: number): void {
    this.#run(
      `UPDATE days SET ${column} = ${column} + ?
       WHERE code = ? AND day = ? AND count1 <> markers1`,
      amount,
      code,
      day,
    );
  }

  #write(work: () => void): void {
    this.#database.exec('BEGIN');
    work();
    this.#database.exec('COMMIT');
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  #select<Row>(sql: string): Iterable<Row> {
    return this.#prepare(sql).iterate() as Iterable<unknown> as Iterable<Row>;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
