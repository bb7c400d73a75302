import { expect } from 'vitest';
import type { Tab } from './browsers.ts';

/** What an owner of links does on the page, found by its name on the screen, with the presses counted. */
export function describeOwner(tab: Tab) {
  let presses = 0;
  const press = async (name: string) => {
    await point(tab, `findControl(${JSON.stringify(name)})`);
    presses += 1;
  };
  const fill = async (label: string, text: string) => {
    const field = `findField(${JSON.stringify(label)})`;
    await expect
      .poll(() => tab.evaluate(inPage(`Boolean(${field})`)), { message: label })
      .toBe(true);
    const hasFocus = await tab.evaluate<boolean>(inPage(`document.activeElement === ${field}`));
    if (!hasFocus) {
      await point(tab, field);
      presses += 1;
    }
    await tab.evaluate(inPage(`${field}.select()`));
    await tab.type(text);
  };
  /** A list of options is the browser's own, which tests can't point at. It takes two presses. */
  const choose = async (label: string, option: string) => {
    await see(label);
    await tab.evaluate(
      inPage(`((select) => {
        const { value } = [...select.options].find(({ text }) => text === ${JSON.stringify(option)});
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      })(findField(${JSON.stringify(label)}))`),
    );
    presses += 2;
  };
  const drop = async (label: string, name: string, text: string) => {
    await see('Choose a file');
    await tab.evaluate(
      inPage(`((input) => {
        const files = new DataTransfer();
        files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      })(findField(${JSON.stringify(label)}))`),
    );
    presses += 1;
  };
  // A page of many links takes long to read.
  const see = (text: string) =>
    expect
      .poll(() => tab.evaluate<string>('document.body.innerText'), { message: text, interval: 200 })
      .toContain(text);
  /** The number of presses since the last call. */
  const takePresses = () => {
    const taken = presses;
    presses = 0;
    return taken;
  };
  return { press, fill, choose, drop, see, takePresses, evaluate: tab.evaluate };
}

/** Presses an element, once it's there and stays. */
async function point(tab: Tab, element: string): Promise<void> {
  const mark = inPage(`((element) => {
    for (const old of document.querySelectorAll('[data-pointed]')) delete old.dataset.pointed;
    element?.scrollIntoView({ block: 'center' });
    element?.setAttribute('data-pointed', '');
  })(${element})`);
  const press = async () => {
    await tab.evaluate(mark);
    return tab.click('[data-pointed]').then(
      () => true,
      () => false,
    );
  };
  await expect.poll(press, { message: element }).toBe(true);
}

const finders = `
  const root = document.querySelector('dialog[open]') ?? document;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const nameOf = (element) => element.ariaLabel ?? element.innerText.trim();
  const findControl = (name) =>
    all('a, button, summary').find((one) => one.checkVisibility() && nameOf(one) === name);
  const findField = (name) =>
    all('label').find((label) => label.innerText.startsWith(name))?.control ??
    all('input, select').find((one) => one.ariaLabel?.startsWith(name));
`;

const inPage = (expression: string) => `(() => { ${finders} return ${expression}; })()`;
