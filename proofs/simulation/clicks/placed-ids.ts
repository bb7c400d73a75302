import type { Random } from '../../../fixtures/random.ts';
import { chainOf } from './sheet-ledger.ts';

const slotsPerSheet = 128;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

interface Producer {
  /** The id of the click with this 0-based number. */
  toId: (number: number) => string;
  minted: number;
}

/** Producers of ids with places on sheets, like the resolver. A restarted one starts new sheets. */
export class PlacedIds {
  readonly #random: Random;
  readonly #producers: Producer[];

  constructor(random: Random, producers: number) {
    this.#random = random;
    this.#producers = Array.from({ length: producers }, () => this.#start());
  }

  /** A producer's ids, in the order of their places. */
  mint(count: number): string[] {
    const index = this.#random.integer(0, this.#producers.length - 1);
    const producer = this.#producers[index] ?? this.#start();
    const ids = Array.from({ length: count }, () => producer.toId(producer.minted++));
    if (this.#random.chance(0.01)) this.#producers[index] = this.#start();
    return ids;
  }

  /** An id that was minted recently, or will be minted soon. */
  near(): string {
    const producer = this.#random.pick(this.#producers);
    return producer.toId(Math.max(0, producer.minted + this.#random.integer(-40, 40)));
  }

  /** A similar id without a place, or with another one. */
  lookAlike(id: string): string {
    const [first = '', second = '', third = ''] = id.split('.');
    return this.#random.pick([
      `${first}.0${second}.${third}`,
      `${first}.${second}.0${third}`,
      `${first}.${Number(second) + slotsPerSheet}.${third}`,
      `${first}.${Number(second) + 1}.${third}${third}`,
      `${first}.${second}.${this.#drawSeal()}`,
      `${first}.${second}.${third}.0`,
      `${first}.${second}.${third} `,
      `${first.replace(/[a-z]/i, '_')}.${second}.${third}`,
      `${first}-.${second}.${third}`,
      `${first}#${second}.${third}`,
    ]);
  }

  #start(): Producer {
    const sheets: string[][] = [];
    const toId = (number: number) => {
      const slot = number % slotsPerSheet;
      const sheet = Math.floor(number / slotsPerSheet);
      while (sheets.length <= sheet) sheets.push(chainOf(this.#drawSeal(), slotsPerSheet - 1));
      const [name, ...seals] = sheets[sheet] ?? [];
      return `${name}.${slot}.${seals[slot]}`;
    };
    return { toId, minted: 0 };
  }

  #drawSeal(): string {
    const draw = () => alphabet.charAt(this.#random.integer(0, alphabet.length - 1));
    return Array.from({ length: 22 }, draw).join('');
  }
}
