import { beforeEach, vi } from 'vitest';
/** Records each test's output, which must be one JSON value per line. A failed test prints it. */
export function useOutput() {
    const chunks = [];
    const record = (chunk) => chunks.push(String(chunk)) > 0;
    beforeEach(({ task }) => {
        chunks.length = 0;
        const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(record));
        return () => {
            for (const spy of spies)
                spy.mockRestore();
            if (task.result?.state === 'fail')
                process.stderr.write(chunks.join(''));
        };
    });
    const lines = () => chunks
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    return {
        lines,
        /** Forgets the output so far. */
        clear: () => {
            chunks.length = 0;
        },
        /** `audits` are the log lines that say who used which link. */
        metrics: () => lines().filter((line) => '_aws' in line),
        logged: () => lines().filter((line) => 'level' in line && !isAudit(line)),
        audits: () => lines()
            .filter(isAudit)
            .map(({ action, sub, code, codes }) => ({ action, sub, code, codes })),
    };
}
function isAudit({ message }) {
    return message === 'link audit';
}
