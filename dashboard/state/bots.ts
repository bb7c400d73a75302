import { effect, signal } from '@preact/signals';

const rememberedKey = 'click-tally.without-bots';

/** Whether clicks by bots are left out of all views. It's remembered, unless the browser forbids it. */
export const isWithoutBots = signal(read());

effect(() => {
  const { value } = isWithoutBots;
  try {
    if (value) localStorage.setItem(rememberedKey, 'yes');
    else localStorage.removeItem(rememberedKey);
  } catch {
    // It lasts until the page is closed.
  }
});

function read(): boolean {
  try {
    return localStorage.getItem(rememberedKey) === 'yes';
  } catch {
    return false;
  }
}
