export type { Effects, Increment } from './entry.ts';
export {
  CommitDeadlineError,
  CommitRejectedError,
  ItemMissingError,
  ReceiptMissingError,
  UnsafeConfigurationError,
} from './errors.ts';
export {
  commitClientConfig,
  createCommitClient,
  TransactionalPersistenceLayer,
  type TransactionalPersistenceLayerOptions,
} from './transactional-persistence-layer.ts';
