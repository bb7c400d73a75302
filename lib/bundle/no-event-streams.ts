/**
 * Replaces the SDK's event streams in the bundles. Clients need them only for operations with an
 * event stream, which the functions don't call.
 */
export function eventStreamSerdeProvider(): never {
  throw new Error(
    'expected an operation without event streams; to use one, delete the alias in infra/bundle-aliases.cjs',
  );
}

export { eventStreamSerdeProvider as EventStreamSerde };
