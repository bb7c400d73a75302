import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { encode } from 'uqr';
import { shortenUrl } from '../format.ts';

/** The light margin that QR readers need, in modules. */
const quietZone = 4;

/** The short address as a QR code, for printing and scanning. */
export function QrDialog({ shortUrl, onClose }: { shortUrl: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { path, size } = useMemo(() => drawQr(shortUrl), [shortUrl]);
  return (
    <dialog ref={dialog} class="dialog" aria-label="QR code" onClose={onClose}>
      <svg
        class="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={`QR code of ${shortUrl}`}
      >
        <path d={path} />
      </svg>
      <p>{shortenUrl(shortUrl)}</p>
      <form method="dialog">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </form>
    </dialog>
  );
}

function drawQr(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: modules.join(''), size };
}
