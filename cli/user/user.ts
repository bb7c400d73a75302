import type { UserPool } from '../user-pool.ts';

/** The user that a command is about. The e-mail address is the username. */
export interface User {
  email: string;
  stage: string;
  /** The stack's name in messages. */
  stackName: string;
  pool: UserPool;
}
