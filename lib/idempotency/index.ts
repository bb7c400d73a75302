export { commitClientConfig, createCommitClient } from './client.ts';
export type { Effects, Increment } from './entry.ts';
export {
  CommitDeadlineError,
  CommitRejectedError,
  ItemMissingError,
  ReceiptMissingError,
  UnsafeConfigurationError,
} from './errors.ts';
export { isSlotValue, type Place, slotAttribute, slotsPerPage, toSlotValue } from './page.ts';
export {
  TransactionalPersistenceLayer,
  type TransactionalPersistenceLayerOptions,
} from './transactional-persistence-layer.ts';
