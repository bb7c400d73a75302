import { AsyncLocalStorage } from 'node:async_hooks';
/**
 * The invocation on whose behalf code runs. An invocation that Middy ended early continues in its
 * instance, concurrently with the next one.
 */
export const currentInvocation = new AsyncLocalStorage();
/** Delivers an event to an instance: at once, when it thaws, or never if it is dead. */
export function deliver(time, instance, event) {
    if (instance.dead)
        return;
    const frozenMs = instance.frozenUntilMs - time.nowMs;
    if (frozenMs > 0)
        time.after(frozenMs, event, instance);
    else
        event();
}
