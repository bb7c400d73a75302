import { type Signal, useSignal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { updateLink } from '../state/links.ts';
import { explain } from '../state/problems.ts';
import { QrDialog } from './qr-dialog.tsx';

const copiedMs = 1_500;

export function LinkActions({ link, problem }: { link: LinkAnswer; problem: Signal<string> }) {
  const { code, disabled } = link;
  const isChanging = useSignal(false);
  const toggle = async () => {
    isChanging.value = true;
    problem.value = '';
    try {
      await updateLink(code, { disabled: !disabled });
    } catch (error) {
      const { title, remedy } = explain(error);
      problem.value = `${title} ${remedy}`;
    }
    isChanging.value = false;
  };
  return (
    <div class="link-actions">
      <ShareActions code={code} shortUrl={link.shortUrl} problem={problem} />
      <button
        type="button"
        class="button is-quiet"
        aria-label={`${disabled ? 'Enable' : 'Disable'} ${code}`}
        disabled={isChanging.value}
        onClick={toggle}
      >
        <Swap texts={['Disable', 'Enable']} isSecond={disabled} />
      </button>
    </div>
  );
}

/** Shows one of two texts in the space of the longer one, so nothing moves. */
function Swap({ texts, isSecond }: { texts: [string, string]; isSecond: boolean }) {
  const [first, second] = texts;
  return (
    <span class="swap">
      <span class={isSecond ? 'is-gone' : ''}>{first}</span>
      <span class={isSecond ? '' : 'is-gone'}>{second}</span>
    </span>
  );
}

interface ShareProps {
  code: string;
  shortUrl: string;
  problem: Signal<string>;
}

/** Copies the short address, and shows its QR code. */
export function ShareActions({ code, shortUrl, problem }: ShareProps) {
  const isCopied = useSignal(false);
  const isQrOpen = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shortUrl);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, copiedMs);
    } catch {
      problem.value = `The browser blocked copying. The address is ${shortUrl}`;
    }
  };
  return (
    <>
      <button type="button" class="button is-quiet" aria-label={`Copy ${shortUrl}`} onClick={copy}>
        <Swap texts={['Copy', 'Copied']} isSecond={isCopied.value} />
      </button>
      <button
        type="button"
        class="button is-quiet"
        aria-label={`QR code of ${code}`}
        onClick={() => {
          isQrOpen.value = true;
        }}
      >
        QR
      </button>
      {isQrOpen.value && (
        <QrDialog
          shortUrl={shortUrl}
          onClose={() => {
            isQrOpen.value = false;
          }}
        />
      )}
      <span class="hidden" role="status">
        {isCopied.value && 'Copied.'}
      </span>
    </>
  );
}
