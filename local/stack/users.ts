/** A predefined user of the local stack. */
export interface User {
  /** The `sub` claim. */
  id: string;
  name: string;
  email: string;
}

const ada = { id: 'local-user', name: 'Ada', email: 'ada@example.com' };
const grace = { id: 'other-local-user', name: 'Grace', email: 'grace@example.com' };

export const users: readonly User[] = [ada, grace];

/** The user for sign-ins that don't ask. */
export const firstUser: User = ada;

export function findUser(id: string): User | undefined {
  return users.find((user) => user.id === id);
}
