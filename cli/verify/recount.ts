import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { HashedDay, LinkDay, ScannedCounts, UnevenDay } from './scanned-counts.ts';

/** The links to check (all or one), and the first day to recount from markers. */
export interface Scope {
  code?: string;
  /** yyyy-mm-dd */
  since: string;
}

export interface Sums {
  links: number;
  clicks: number;
  /** The recounted days, their clicks, and the markers of these clicks, in slots or separate items. */
  days: number;
  recounted: number;
  markers: number;
  /** Days with visitors. */
  visitedDays: number;
}

/** The counts of one hash of code and day. */
export interface HashRow {
  hash: string;
  /** The recounted days with this hash: rarely more than one, and empty if only slots have it. */
  days: LinkDay[];
  /** The days' STAT.count and the number of markers, in the first and the second scan. */
  count1: number;
  markers1: number;
  count2: number;
  markers2: number;
}

// SQLite keeps a database without a name in a temporary file and deletes it on close.
const temporaryFile = '';
const cacheKib = 16_384;

/**
 * The counts of a table of any size. A slot holds only a hash of its code and day, so days are
 * recounted by hash. Days outside the scope, which are older or belong to other links, may have any
 * number of slots. For hashes that they share, only missing markers are drift.
 *
 * SQLite keeps a fixed amount in memory and the rest in a temporary file (in TMPDIR): about 70
 * bytes for each recounted day, 40 for each link and 20 for each other day, 30 for each day with clicks by
 * people, 20 for each link with stored sums, and 150 for each day with campaigns.
 */
export class Recount {
  readonly #database = new DatabaseSync(temporaryFile);
  readonly #statements = new Map<string, StatementSync>();
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#database.exec(`
      PRAGMA cache_size = -${cacheKib}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE links (code PRIMARY KEY, clicks, sum NOT NULL DEFAULT 0,
        people NOT NULL DEFAULT 0, bots NOT NULL DEFAULT 0) WITHOUT ROWID;
      CREATE TABLE uneven (code, day, breakdown, count, sum);
      CREATE TABLE campaigns (code, day, parameter, clicks NOT NULL DEFAULT 0,
        sum NOT NULL DEFAULT 0, counted NOT NULL DEFAULT 0, stored NOT NULL DEFAULT 0,
        PRIMARY KEY (code, day, parameter)) WITHOUT ROWID;
      CREATE TABLE visitors (code, day, people NOT NULL DEFAULT 0, least NOT NULL DEFAULT 0,
        PRIMARY KEY (code, day)) WITHOUT ROWID;
      CREATE TABLE summed (code PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE days (hash, code, day, PRIMARY KEY (hash, code, day)) WITHOUT ROWID;
      CREATE TABLE hashes (hash PRIMARY KEY, otherDays NOT NULL DEFAULT 0,
        count1 NOT NULL DEFAULT 0, markers1 NOT NULL DEFAULT 0,
        count2 NOT NULL DEFAULT 0, markers2 NOT NULL DEFAULT 0) WITHOUT ROWID;
    `);
  }

  addFirst(scanned: ScannedCounts): void {
    this.#write(() => {
      for (const { code, ...totals } of scanned.totals) this.#add('links', { code }, totals);
      for (const { code, day, count: sum, people, bots } of scanned.days) {
        if (!this.#isChecked(code)) continue;
        // What is left of a link's people and bots, less those of its days, is drift.
        this.#add('links', { code }, { sum, people: -people, bots: -bots });
        if (people > 0) this.#add('visitors', { code, day }, { people });
      }
      for (const { code, day, least } of scanned.sketches) {
        if (this.#isChecked(code)) this.#add('visitors', { code, day }, { least });
      }
      for (const { code } of scanned.summed) {
        if (this.#isChecked(code)) this.#run('INSERT OR IGNORE INTO summed VALUES (?)', code);
      }
      for (const { code, day, breakdown, count, sum } of scanned.uneven) {
        if (!this.#isChecked(code)) continue;
        this.#run('INSERT INTO uneven VALUES (?, ?, ?, ?, ?)', code, day, breakdown, count, sum);
      }
      for (const { code, day, parameter, ...numbers } of scanned.campaigns) {
        if (this.#isChecked(code)) this.#add('campaigns', { code, day, parameter }, numbers);
      }
      this.#addDays(scanned, 1);
    });
  }

  /** Adds the counts of the second scan, which checks only days. */
  addSecond(scanned: ScannedCounts): void {
    this.#write(() => this.#addDays(scanned, 2));
  }

  sumUp(): Sums {
    const links = this.#prepare('SELECT count(*) AS links, total(clicks) AS clicks FROM links');
    const days = this.#prepare('SELECT count(*) AS days FROM days');
    const markers = this.#prepare(
      `SELECT total(count1) AS recounted, total(markers1) AS markers FROM hashes
        WHERE hash IN (SELECT hash FROM days)`,
    );
    const visited = this.#prepare('SELECT count(*) AS visitedDays FROM visitors WHERE least > 0');
    const sums = { ...links.get(), ...days.get(), ...markers.get(), ...visited.get() };
    return sums as unknown as Sums;
  }

  /**
   * Finds breakdowns that don't sum to their day's count. Both are in one item, so one scan proves
   * it.
   */
  unevenBreakdowns(): Iterable<UnevenDay> {
    return this.#select('SELECT * FROM uneven');
  }

  /** Finds links whose totals aren't the sums of their days. */
  unevenTotals(): Iterable<{ code: string }> {
    return this.#select(
      'SELECT code FROM links WHERE clicks IS NOT sum OR people <> 0 OR bots <> 0',
    );
  }

  /** Finds days whose campaigns don't match their clicks with one. A click may have arrived meanwhile. */
  unevenCampaigns(): Iterable<LinkDay> {
    return this.#select(
      'SELECT DISTINCT code, day FROM campaigns WHERE clicks IS NOT sum OR counted > stored',
    );
  }

  /** Finds days with more visitors than clicks by people. A click may have arrived meanwhile. */
  tooManyVisitors(): Iterable<LinkDay> {
    return this.#select('SELECT code, day FROM visitors WHERE least > people');
  }

  /** The links whose sums are stored for overviews. */
  summedLinks(): Iterable<{ code: string }> {
    return this.#select('SELECT code FROM summed');
  }

  hasUnevenDays(): boolean {
    const uneven = this.#prepare(`SELECT 1 FROM hashes
      WHERE count1 > markers1 OR (markers1 > count1 AND otherDays = 0) LIMIT 1`);
    return uneven.get() !== undefined;
  }

  /**
   * Finds differences that new clicks can't explain. New clicks only add, so the second scan must
   * find at least as many markers as the first scan counted clicks, and vice versa. It also finds
   * the day of every slot that the first scan found. Slots without a day can't be attributed to a
   * link, so they're left out if only one link is checked.
   */
  *drifts(): Generator<HashRow> {
    const daysOf = this.#prepare('SELECT code, day FROM days WHERE hash = ?');
    const rows = this.#select<Omit<HashRow, 'days'>>(`
      SELECT hash, count1, markers1, count2, markers2 FROM hashes
      WHERE count1 > markers2 OR (markers1 > count2 AND otherDays = 0)`);
    for (const row of rows) {
      const days = daysOf.all(row.hash) as unknown[] as LinkDay[];
      if (days.length > 0 || this.#scope.code === undefined) yield { ...row, days };
    }
  }

  close(): void {
    this.#database.close();
  }

  #isChecked(code: string): boolean {
    return this.#scope.code === undefined || this.#scope.code === code;
  }

  #addDays({ days, markers, slots }: ScannedCounts, scan: 1 | 2): void {
    for (const day of days) this.#addDay(day, { [`count${scan}`]: day.count });
    for (const marker of markers) this.#addDay(marker, { [`markers${scan}`]: 1 });
    for (const [hash, amount] of slots)
      this.#add('hashes', { hash }, { [`markers${scan}`]: amount });
  }

  #addDay({ hash, code, day }: HashedDay, numbers: Record<string, number>): void {
    const isOther = !this.#isChecked(code) || day < this.#scope.since;
    if (!isOther) this.#run('INSERT OR IGNORE INTO days VALUES (?, ?, ?)', hash, code, day);
    this.#add('hashes', { hash }, isOther ? { otherDays: 1 } : numbers);
  }

  /** Adds numbers to those of a row, which may be new. */
  #add(table: string, key: Record<string, string>, numbers: Record<string, number>): void {
    const row = { ...key, ...numbers };
    const columns = Object.keys(row);
    const sums = Object.keys(numbers).map(
      (name) => `${name} = ifnull(${name}, 0) + excluded.${name}`,
    );
    this.#run(
      `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})
        ON CONFLICT DO UPDATE SET ${sums}`,
      ...Object.values(row),
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
