/** A user who is ready to sign in on the local stack, in place of one of the Cognito user pool. */
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

/** Who signs in where nobody is asked. */
export const firstUser: User = ada;

export function findUser(id: string): User | undefined {
  return users.find((user) => user.id === id);
}

/** The claim that names a user's groups. Like Cognito, it leaves the claim out if there are none. */
export function groupClaims(user: User | undefined): { 'cognito:groups'?: readonly string[] } {
  return user && user.groups.length > 0 ? { 'cognito:groups': user.groups } : {};
}

export type TokenUse = 'access' | 'id';

/** The claims that Cognito adds to a token of its own accord. */
export function tokenClaims(id: string, use: TokenUse) {
  return { token_use: use, ...groupClaims(findUser(id)) };
}
