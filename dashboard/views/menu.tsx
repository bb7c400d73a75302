import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const events = ['click', 'pointerdown', 'focusin', 'keydown'];

/** A button that shows others until one is chosen, Escape is pressed, or the viewer goes elsewhere. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const act = (event: Event) => {
      const target = event.target as Element;
      const isKey = event instanceof KeyboardEvent;
      const isChosen = event.type === 'click' && target.closest('.menu-items');
      const isElsewhere = !isKey && !box.current?.contains(target);
      // A dialog that opens now returns the focus to this menu's button.
      const isBack = isChosen || (isKey && event.key === 'Escape');
      if (isBack) box.current?.querySelector('button')?.focus();
      if (isBack || isElsewhere) setOpen(false);
    };
    const listening = new AbortController();
    // Captured, because an item may open its dialog before the event gets to the document.
    const options = { capture: true, signal: listening.signal };
    for (const type of events) document.addEventListener(type, act, options);
    return () => listening.abort();
  }, [isOpen]);
  return (
    <div ref={box} class="menu">
      <Button
        kind="quiet"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <svg class="dots" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 8h.01M8 8h.01M13 8h.01" />
        </svg>
      </Button>
      <div class="menu-items" hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}
