import type { Stack } from '../stack.ts';
import type { UserPool } from '../user-pool.ts';

/** A command's user. The e-mail address is the username. */
export interface User {
  email: string;
  stage: string;
  stack: Stack;
  pool: UserPool;
}
