/** A predefined user of the local stack. */
export interface User {
  /** The `sub` claim. */
  id: string;
  name: string;
  email: string;
  groups: readonly string[];
}

const ada = {
  id: 'local-user',
  name: 'Ada',
  email: 'ada@example.com',
  groups: ['operators'],
};
const grace = { id: 'other-local-user', name: 'Grace', email: 'grace@example.com', groups: [] };

export const users: readonly User[] = [ada, grace];

/** The user for sign-ins that don't ask. */
export const firstUser: User = ada;

export function findUser(id: string): User | undefined {
  return users.find((user) => user.id === id);
}

/** The user's groups. Like Cognito, leaves out the claim if there aren't any. */
export function groupClaims(user: User | undefined): { 'cognito:groups'?: readonly string[] } {
  return user && user.groups.length > 0 ? { 'cognito:groups': user.groups } : {};
}

export type TokenUse = 'access' | 'id';

/** The claims that Cognito adds to every token. */
export function tokenClaims(id: string, use: TokenUse) {
  return { token_use: use, ...groupClaims(findUser(id)) };
}
