import type { AttributeValue } from '../../../fixtures/dynamodb-items.ts';
import type { Role } from '../instance.ts';
import { orderEnvironmentOf } from '../stage-settings.ts';
import type { SimulatedService, World } from '../world.ts';
import { OrderAuditor } from './order-auditor.ts';
import { brokenCustomers, issuedVouchers, lateVoucher, Shop, takenIds } from './shop.ts';

/** The layer's orders example in a world: a function behind the queue and one behind an endpoint. */
export class OrderService implements SimulatedService {
  readonly auditor: OrderAuditor;
  readonly #world: World;
  readonly #shop: Shop;

  constructor(world: World) {
    const { plan } = world;
    this.#world = world;
    this.auditor = new OrderAuditor(plan.settings, world.now);
    this.#shop = new Shop(world, this.auditor);
  }

  get isIdle(): boolean {
    return this.#shop.isIdle;
  }

  describeFunction(role: Role) {
    const { settings } = this.#world.plan;
    const environment = orderEnvironmentOf(role, settings);
    return { environment, timeoutMs: settings.functionTimeoutMs };
  }

  deploy(): void {
    for (const deployed of Object.values(this.#world.functions)) deployed.deploy();
  }

  start(): void {
    for (const voucher of issuedVouchers) this.#store('VOUCHER', voucher, 'VOUCHER');
    for (const id of takenIds) this.#store('ORDER', id, 'ORDER', { cents: { N: '1' } });
    for (const customer of brokenCustomers) this.#storeTotal(customer, { S: 'many' });
    this.#shop.start();
  }

  mend(): void {
    this.#store('VOUCHER', lateVoucher, 'VOUCHER');
    this.#storeTotal('mended', { N: '0' });
  }

  /** Sends copies of orders. */
  sendForgotten(): void {
    for (const order of this.auditor.listForgotten(100)) this.#shop.enqueue(order);
  }

  #storeTotal(customer: string, cents: AttributeValue): void {
    this.#store('CUSTOMER', customer, 'TOTAL', { cents });
  }

  #store(kind: string, name: string, SK: string, attributes = {}): void {
    this.#world.storeByHand({ PK: { S: `${kind}#${name}` }, SK: { S: SK }, ...attributes });
  }
}
