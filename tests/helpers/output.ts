import { afterEach, beforeEach, vi } from 'vitest';

/** Records the output of each test of a file, which must be one JSON value a line. */
export function useOutput() {
  const chunks: string[] = [];
  const record = (chunk: string | Uint8Array) => chunks.push(String(chunk)) > 0;
  let spies: { mockRestore(): void }[] = [];
  beforeEach(() => {
    chunks.length = 0;
    spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation(record),
    );
  });
  afterEach(() => {
    for (const spy of spies) spy.mockRestore();
  });

  const lines = () =>
    chunks
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    lines,
    /** Forgets what was printed so far. */
    clear: () => {
      chunks.length = 0;
    },
    /** The lines of metrics, those of the log, and those of the log that say who used which link. */
    metrics: () => lines().filter((line) => '_aws' in line),
    logged: () => lines().filter((line) => 'level' in line && !isAudit(line)),
    audits: () =>
      lines()
        .filter(isAudit)
        .map(({ action, sub, code, codes }) => ({ action, sub, code, codes })),
  };
}

function isAudit({ message }: { message?: string }): boolean {
  return message === 'link audit';
}
