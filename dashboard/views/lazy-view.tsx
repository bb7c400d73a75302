import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** A view whose code is loaded when it's first shown. After an upgrade, that code may be gone. */
export function LazyView<View>({
  load,
  shows,
}: {
  load: () => Promise<View>;
  shows: (view: View) => ComponentChildren;
}) {
  const [loaded, setLoaded] = useState<{ view: View }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (view) => setLoaded({ view }),
      () => setFailed(true),
    );
  }, [load]);
  if (loaded) return shows(loaded.view);
  if (!hasFailed) return <p role="status">Loading…</p>;
  return (
    <p class="notice" role="alert">
      This part of the page couldn't be loaded. The service may have been upgraded.{' '}
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </p>
  );
}
