/** Replaces the SDK's event streams in the bundles. The functions' operations don't use them. */
export function eventStreamSerdeProvider() {
    throw new Error('expected an operation without event streams; to use event streams, delete their alias in infra/bundle-aliases.cjs');
}
export { eventStreamSerdeProvider as EventStreamSerde };
