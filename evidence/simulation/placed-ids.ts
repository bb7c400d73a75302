import type { Random } from '../kit/random.ts';

const slotsPerPage = 128;

interface Producer {
  name: string;
  minted: number;
}

/** Producers that hand out places on pages, as the resolver does; a restarted one begins anew. */
export class PlacedIds {
  readonly #random: Random;
  readonly #producers: Producer[];

  constructor(random: Random, producers: number) {
    this.#random = random;
    this.#producers = Array.from({ length: producers }, () => this.#start());
  }

  /** So many ids of one producer, one place after another. */
  mint(count: number): string[] {
    const index = this.#random.integer(0, this.#producers.length - 1);
    const producer = this.#producers[index] ?? this.#start();
    const ids = Array.from({ length: count }, () => toId(producer, producer.minted++));
    if (this.#random.chance(0.01)) this.#producers[index] = this.#start();
    return ids;
  }

  /** An id that was minted lately, or soon will be. */
  near(): string {
    const producer = this.#random.pick(this.#producers);
    return toId(producer, Math.max(0, producer.minted + this.#random.integer(-40, 40)));
  }

  /** Another id that looks much like this one, but has no place. */
  lookAlike(id: string): string {
    const [producer = '', page = '', slot = ''] = id.split('.');
    return this.#random.pick([
      `${producer}.${page}.0${slot}`,
      `${producer}.0${page}.${slot}`,
      `${producer}.${page}.${Number(slot) + slotsPerPage}`,
      `${producer}.${page}.${slot}.0`,
      `${producer}.${page}.${slot} `,
      `${producer.toUpperCase()}.${page}.${slot}`,
      `${producer.replaceAll('-', '')}.${page}.${slot}`,
      `${producer}#${page}.${slot}`,
    ]);
  }

  #start(): Producer {
    const hex = Array.from({ length: 32 }, () => this.#random.integer(0, 15).toString(16)).join('');
    const name = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const page = this.#random.pick([0, 0, 9, 123_456]);
    return { name, minted: page * slotsPerPage };
  }
}

function toId({ name }: Producer, place: number): string {
  return `${name}.${Math.floor(place / slotsPerPage)}.${place % slotsPerPage}`;
}
