import { matching, readEnv } from '../../config.ts';

/**
 * The scheme and host of every short link. They aren't read from the request, whose sender controls
 * the headers.
 */
export const { PUBLIC_ORIGIN: publicOrigin } = readEnv({
  PUBLIC_ORIGIN: matching('an origin such as https://go.example.com', /^https?:\/\/[^/?#@\s]+$/),
});
