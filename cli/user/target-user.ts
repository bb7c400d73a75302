import type { Stack } from '../stack.ts';
import type { UserPool } from '../user-pool.ts';

/** The user that a command is about. The e-mail address is the username. */
export interface User {
  email: string;
  stage: string;
  /** The stage's stack, whose name is in messages. */
  stack: Stack;
  pool: UserPool;
}
