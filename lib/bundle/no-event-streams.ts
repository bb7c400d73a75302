/**
 * Replaces the SDK's event streams in the bundles. Every client loads them when it meets an operation
 * that has one; the functions use no such operation.
 */
export function eventStreamSerdeProvider(): never {
  throw new Error(
    'expected an operation without event streams; to use one, delete the alias in infra/bundle-aliases.cjs',
  );
}

export { eventStreamSerdeProvider as EventStreamSerde };
