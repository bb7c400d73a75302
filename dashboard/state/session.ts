import { signal } from '@preact/signals';
import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { PageConfig } from '../config.ts';
import { ApiError } from './problems.ts';

type Session =
  | { status: 'starting' }
  | { status: 'signed-out'; note?: string }
  /** If `isExpired`, the numbers stay on screen but aren't updated until the viewer signs in again. */
  | { status: 'signed-in'; isExpired: boolean; user: string };

// Only a flag that there was a session, so that a reload and another tab ask the issuer for a new
// one. Tokens aren't stored.
const rememberedKey = 'click-tally.session';
const storage = findStorage();

/** The storage of the tab and of all tabs. If cookies are blocked, browsers throw or have none. */
function findStorage(): { ofTab: Storage; shared: Storage } | undefined {
  try {
    const { sessionStorage: ofTab, localStorage: shared } = window;
    return ofTab && shared ? { ofTab, shared } : undefined;
  } catch {
    return undefined;
  }
}

/** Signs in and out at the issuer. Tokens stay in the page's memory. */
export function createSession(config: PageConfig) {
  const session = signal<Session>({ status: 'starting' });
  const page = `${location.origin}/`;
  const manager = createManager(config, page);

  const enter = ({ profile }: User) => {
    storage?.shared.setItem(rememberedKey, 'yes');
    const user = profile.email ?? profile.name ?? profile.sub;
    session.value = { status: 'signed-in', isExpired: false, user };
  };
  const leave = (note?: string) => {
    storage?.shared.removeItem(rememberedKey);
    session.value = { status: 'signed-out', note };
  };
  const expire = () => {
    const before = session.value;
    if (before.status === 'signed-in') session.value = { ...before, isExpired: true };
  };
  let renewal: Promise<User> | undefined;
  // A refresh token works once, so concurrent requests share a renewal.
  const renew = () => {
    renewal ??= requestRenewal().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  const requestRenewal = async () => {
    const user = await manager.getUser();
    // Without a refresh token, the library would open a frame, which the page's policy forbids.
    const renewed = user?.refresh_token ? await manager.signinSilent().catch(readFailure) : null;
    if (!renewed) throw new ApiError(401, 'The session has ended.');
    enter(renewed);
    return renewed;
  };
  const redirect = (parameters: { prompt?: string; redirectMethod?: 'replace' } = {}) =>
    manager
      .signinRedirect({ ...parameters, state: { hash: location.hash, entry: history.state } })
      .catch(() => leave('The sign-in service is unreachable. Try again in a moment.'));
  const signOutOthers = storage && joinTabs();
  manager.events.addAccessTokenExpiring(async () => {
    // If this fails, the session expires a minute later.
    await renew().catch(() => undefined);
  });
  manager.events.addAccessTokenExpired(expire);

  return {
    session,
    expire,
    signIn: () => (storage ? redirect() : location.reload()),
    /**
     * Handles the issuer's response, if the address contains one. After a reload and in another tab,
     * signs in again without a prompt, and without a new entry in the tab's history.
     */
    async start() {
      const query = new URLSearchParams(location.search);
      if (query.has('state') && storage) await finish();
      else if (storage?.shared.getItem(rememberedKey))
        await redirect({ prompt: 'none', redirectMethod: 'replace' });
      else leave(storage ? undefined : cookieNote);
    },
    /** Returns the access token, renewed if it has expired or `mustRenew`. Throws {@link ApiError}. */
    async token(mustRenew = false): Promise<string> {
      const user = await manager.getUser();
      const isUsable = user && !user.expired && !mustRenew;
      return (isUsable ? user : await renew()).access_token;
    },
    async signOut() {
      // Cognito reads the first two parameters. Other issuers read the last, which the library adds.
      const extraQueryParams = { client_id: config.clientId, logout_uri: page };
      leave();
      signOutOthers?.();
      await manager
        .signoutRedirect({ extraQueryParams, post_logout_redirect_uri: page })
        .catch(() => location.replace(page));
    },
  };

  async function finish(): Promise<void> {
    try {
      const user = await manager.signinRedirectCallback();
      comeBackTo(user.state);
      enter(user);
    } catch (error) {
      const failure = error as SignInFailure;
      comeBackTo(failure.state);
      leave(explainFailure(failure));
    }
  }
}

// Without storage, the issuer's response couldn't be matched to the request.
const cookieNote = 'Allow cookies for this site, which keep you signed in, and reload.';

/** Signing out in one tab signs out all of them. Reloading drops the tokens and the numbers. */
function joinTabs(): () => void {
  const tabs = new BroadcastChannel('click-tally.signed-out');
  tabs.onmessage = () => {
    storage?.shared.removeItem(rememberedKey);
    location.reload();
  };
  return () => tabs.postMessage(undefined);
}

/** A library error. With `error` and `state`, it's the issuer's response. */
type SignInFailure = Error & Partial<ErrorResponse>;

function createManager({ issuer, clientId, scope }: PageConfig, page: string): UserManager {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: page,
    response_type: 'code',
    scope,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: storage?.ofTab ?? new InMemoryWebStorage() }),
    automaticSilentRenew: false,
    loadUserInfo: false,
  });
}

/** Returns null if the issuer says that the session has ended. Rethrows any other error. */
function readFailure(error: unknown): null {
  if (error instanceof ErrorResponse && error.error === 'invalid_grant') return null;
  throw error;
}

/** Removes the issuer's response from the address, and restores the previous view. */
function comeBackTo(state: unknown): void {
  const { hash = '', entry = null } = (state ?? {}) as { hash?: string; entry?: unknown };
  history.replaceState(entry, '', location.pathname + hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function explainFailure({ error, message }: SignInFailure): string {
  if (error === 'login_required') return 'Your session has ended.';
  return `Sign-in failed (${error ?? message}). Try again.`;
}
