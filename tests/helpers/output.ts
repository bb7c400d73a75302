import { vi } from 'vitest';

/** Records the output of the process, which must be one JSON value a line, until `undo`. */
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
