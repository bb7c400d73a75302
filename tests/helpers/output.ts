import { vi } from 'vitest';

/** Records what is written to the process's output, one JSON value a line; undo restores it. */
export function recordOutput() {
  const chunks: string[] = [];
  const record = (chunk: string | Uint8Array) => chunks.push(String(chunk)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(record),
    vi.spyOn(process.stderr, 'write').mockImplementation(record),
  ];
  return {
    lines: () =>
      chunks
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    undo: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
