import type { AttributeValue } from '../../../fixtures/dynamodb-items.ts';
import type { FunctionCode } from '../compiled-code.ts';
import type { EventSourceMapping } from '../event-source-mapping.ts';
import type { OrderRole } from '../instance.ts';
import type { LambdaFunction } from '../lambda.ts';
import type { Message } from '../queue.ts';
import { World } from '../world.ts';
import type { WorldPlan } from '../world-plan.ts';
import { OrderAuditor } from './order-auditor.ts';
import { Shop } from './shop.ts';

/** Vouchers that are issued late, or never. */
export const lateVoucher = 'voucher-late';
const noVoucher = 'voucher-never';

/** Customers whose total is no number: for a while, or for good. */
export const mendedCustomer = 'mended';
const brokenCustomer = 'broken';

/** The world of the package's example: its two functions in the middle, and a shop around. */
export class OrdersWorld extends World {
  readonly auditor: OrderAuditor;
  readonly functions: Record<OrderRole, LambdaFunction>;
  readonly mapping: EventSourceMapping;
  readonly shop: Shop;

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    super(plan, write, 'orders: ');
    const auditor = new OrderAuditor(plan.settings, () => this.time.nowMs);
    this.auditor = auditor;
    this.functions = this.#createFunctions(code);
    this.mapping = this.createMapping({
      aggregator: this.functions.booker,
      role: 'booker',
      onDelivered: (message) => this.statistics.add('duplicates', Number(auditor.isCopy(message))),
      onInvoked: (_instance, batch) => auditor.onInvoked(batch),
      onFaultFreeFailure: ({ body }) => auditor.onFaultFreeFailure(body),
    });
    this.shop = this.#createShop();
  }

  /** Stores the total of a customer as somebody else might write it. */
  storeTotal(customer: string, cents: AttributeValue): void {
    this.#store(`CUSTOMER#${customer}`, 'TOTAL', { cents });
  }

  issueVoucher(voucher: string): void {
    this.#store(`VOUCHER#${voucher}`, 'VOUCHER', {});
  }

  protected override get isQuiet(): boolean {
    return this.shop.isIdle;
  }

  protected override isGood(letter: Message): boolean {
    return this.auditor.isGood(letter);
  }

  #store(PK: string, SK: string, attributes: Record<string, AttributeValue>): void {
    this.storeByHand({ PK: { S: PK }, SK: { S: SK }, ...attributes });
  }

  #createFunctions(code: FunctionCode): Record<OrderRole, LambdaFunction> {
    const { trace } = this;
    const { functionTimeoutMs: timeoutMs, environment } = this.plan.settings;
    const network = this.createNetwork();
    const create = (role: OrderRole) =>
      this.createFunction(
        {
          ...{ role, network, timeoutMs },
          environment: { ...environment, AWS_LAMBDA_FUNCTION_NAME: role },
          onLog: ({ name }, line) => trace.note(() => `${name} logs: ${line}`),
        },
        code,
      );
    return { booker: create('booker'), clerk: create('clerk') };
  }

  #createShop(): Shop {
    const { plan, time, faults, trace, queue, functions, auditor } = this;
    const issued = Array.from({ length: 5 }, (_, index) => `voucher-${index}`);
    const taken = ['customer-1.taken', 'customer-2.taken', 'customer-3.taken'];
    for (const voucher of issued) this.issueVoucher(voucher);
    for (const id of taken) this.#store(`ORDER#${id}`, 'ORDER', { cents: { N: '1' } });
    const broken = [mendedCustomer, brokenCustomer];
    for (const customer of broken) this.storeTotal(customer, { S: 'many' });
    return new Shop({
      ...{ plan, time, faults, trace, queue, auditor, clerk: functions.clerk, taken, broken },
      random: this.random('shop'),
      vouchers: [...issued, lateVoucher, noVoucher],
    });
  }
}
