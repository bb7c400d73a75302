/** The modules with planted bugs. The compiler checks that they exist. */
interface Modules {
  'functions/aggregate-clicks.ts': typeof import('../../../functions/aggregate-clicks.ts');
  'lib/clicks/click.ts': typeof import('../../../lib/clicks/click.ts');
  'lib/clicks/click-event.ts': typeof import('../../../lib/clicks/click-event.ts');
  'lib/clicks/publish-click.ts': typeof import('../../../lib/clicks/publish-click.ts');
  'lib/clicks/records.ts': typeof import('../../../lib/clicks/records.ts');
  'packages/powertools-idempotency-transactional/src/cancellation.ts': typeof import('../../../packages/powertools-idempotency-transactional/src/cancellation.ts');
  'packages/powertools-idempotency-transactional/src/delivery.ts': typeof import('../../../packages/powertools-idempotency-transactional/src/delivery.ts');
  'packages/powertools-idempotency-transactional/src/send.ts': typeof import('../../../packages/powertools-idempotency-transactional/src/send.ts');
  'packages/powertools-idempotency-transactional/src/transaction.ts': typeof import('../../../packages/powertools-idempotency-transactional/src/transaction.ts');
}

/** Turns each changed function of a module into a wrong one. */
type Replacements<Module> = {
  [Name in keyof Module as Module[Name] extends (...args: never[]) => unknown ? Name : never]?: (
    real: Module[Name],
  ) => Module[Name];
};

/** A deliberate bug that the simulation must find. */
export interface PlantedBug {
  name: string;
  /** The kind of violation that it must cause. */
  kind: string;
  replace: { [File in keyof Modules]?: Replacements<Modules[File]> };
}
