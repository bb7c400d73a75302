import { useEffect, useState } from 'preact/hooks';
import { loadLazyCode } from '../config.ts';
import { shortenUrl } from '../format.ts';
import { saveFile } from './actions.tsx';
import { Button } from './button.tsx';
import { CloseButton, Dialog, type LinkDialogProps } from './dialog.tsx';

/** The light margin that QR readers need, in modules. */
const quietZone = 4;
/** The side of the PNG, rounded down to whole modules. */
const pngPx = 1_200;

/** The short link as a QR code, with files of it for print and screen. */
export function QrDialog({ link: { code, shortUrl }, onClose }: LinkDialogProps) {
  const [{ path, size }, setQr] = useState({ path: '', size: 1 });
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    drawQr(shortUrl).then(setQr, () => setFailed(true));
  }, [shortUrl]);
  const saveSvg = () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`;
    saveFile(`${code}.svg`, [svg]);
  };
  const savePng = () => {
    const scale = Math.floor(pngPx / size);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size * scale;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#000';
    context.scale(scale, scale);
    context.fill(new Path2D(path));
    canvas.toBlob((png) => png && saveFile(`${code}.png`, [png]));
  };
  return (
    <Dialog title={`QR code of ${code}`} onClose={onClose}>
      <svg
        class="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={`Leads to ${shortUrl}`}
      >
        <path d={path} />
      </svg>
      {isFailed && (
        <p class="field-problem" role="alert">
          The QR code couldn't be drawn. Check your connection, then reload the page.
        </p>
      )}
      <p>{shortenUrl(shortUrl)}</p>
      <p class="dialog-buttons">
        {path && <Button onClick={saveSvg}>Save SVG</Button>}
        {path && <Button onClick={savePng}>Save PNG</Button>}
        <CloseButton text="Close" />
      </p>
    </Dialog>
  );
}

async function drawQr(text: string) {
  const { encode } = await loadLazyCode();
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: modules.join(''), size };
}
