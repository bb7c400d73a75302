import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Random } from '../../../fixtures/random.ts';
import { keyOf } from '../dynamodb/item-store.ts';
import type { World } from '../world.ts';
import { placeOf } from './sheet-ledger.ts';

/** Later than any world. */
const farFuture = { N: '4000000000' };

/** Writes values into sheets that the service never writes. */
export class SpoiltSheets {
  readonly #world: World;
  readonly #random: Random;
  readonly #keys: Item[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random('spoilt pages');
  }

  /** Spoils a click id's sheet or slot. The sheet may not exist yet. */
  spoil(id: string): void {
    const place = placeOf(id);
    if (!place) throw new Error(`expected an id with a place; got ${id}`);
    const key = { PK: { S: place.key }, SK: { S: 'CLICK' } };
    const sheet = this.#world.items.get(keyOf(key)) ?? { ...key, ttl: farFuture };
    const value = this.#random.pick([{ S: 'text' }, { N: '7' }, { B: 'AA==' }]);
    const isSlot = !sheet[place.slot] && this.#random.chance(0.5);
    this.#world.storeByHand({
      ...sheet,
      ...(isSlot ? { [place.slot]: value } : { ttl: { S: 'never' } }),
    });
    this.#keys.push(key);
  }

  /** Repairs the ttl of every other sheet. */
  mend(): void {
    for (const key of this.#keys.filter((_, index) => index % 2 === 0)) {
      this.#world.storeByHand({ ...this.#world.items.get(keyOf(key)), ...key, ttl: farFuture });
    }
  }
}
