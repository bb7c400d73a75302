export { createCommitClient } from './client.ts';
export { type CommitEffectsOptions, commitEffects } from './commit-effects.ts';
export { addUpDeliverySeconds, type DeliverySettings } from './delivery.ts';
export type { Effects, Increment, NativeItem, Write, WriteOptions } from './effects.ts';
export {
  CommitDeadlineError,
  CommitRejectedError,
  ConditionFailedError,
  InvalidEffectsError,
  ItemMissingError,
  ReceiptMissingError,
  UnsafeConfigurationError,
} from './errors.ts';
export type { TransactionalPersistenceLayerOptions } from './options.ts';
export { TransactionalPersistenceLayer } from './transactional-persistence-layer.ts';
export { isTransientError } from './transient.ts';
