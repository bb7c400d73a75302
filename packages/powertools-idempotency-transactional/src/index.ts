export { commitClientConfig, createCommitClient } from './client.ts';
export { addUpDeliverySeconds, type DeliverySettings } from './delivery.ts';
export type { Effects, Increment, Write } from './entry.ts';
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
export { isSlotValue, type Place, slotAttribute, slotsPerSheet, toSlotValue } from './sheet.ts';
export { TransactionalPersistenceLayer } from './transactional-persistence-layer.ts';
export { isTransientCode, isTransientError } from './transient.ts';
