import { expect, test } from 'vitest';
import {
  EventStreamSerde,
  eventStreamSerdeProvider,
} from '../../../lib/bundle/no-event-streams.ts';

test.each([EventStreamSerde, eventStreamSerdeProvider])(
  'an operation with an event stream is refused',
  (part) => {
    expect(part).toThrow(
      'expected an operation without event streams; to use event streams, delete their alias in infra/bundle-aliases.cjs',
    );
  },
);
