import { matching, readEnv } from '../config.ts';

const originVariables = {
  PUBLIC_ORIGIN: matching('an origin such as https://go.example.com', /^https?:\/\/[^/?#@\s]+$/),
};

/**
 * The scheme and host of every short link. They aren't read from the request, whose sender controls
 * the headers.
 */
export const { PUBLIC_ORIGIN: publicOrigin } = readEnv(originVariables);
