import { readdirSync, readFileSync } from 'node:fs';

interface RunningProcess {
  pid: number;
  command: string;
  rssMb: number;
}

/** Finds this process's children, their children and so on. Linux only, because it reads /proc. */
function findDescendants(pid = process.pid): RunningProcess[] {
  return childrenOf(pid).flatMap((child) => {
    const found = readProcess(child);
    return found ? [found, ...findDescendants(child)] : [];
  });
}

/** Finds the processes that run the service's functions. */
export function findWorkers(): RunningProcess[] {
  return findDescendants().filter(({ command }) => /serverless.* offline /.test(command));
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

// The process may exit meanwhile.
function readProcess(pid: number): RunningProcess | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const [, kilobytes = '0'] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { pid, command, rssMb: Number(kilobytes) / 1_024 };
  } catch {
    return undefined;
  }
}
