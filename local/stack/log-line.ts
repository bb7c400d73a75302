// esbuild and serverless-esbuild write these when changed code doesn't build.
const buildErrorLine = /^✘ \[ERROR\] (.*)|^[✖×] (Bundle error.*)/;

/**
 * Summarizes a line of the functions' log that reports an error: Powertools' JSON of level ERROR or
 * above, or a failed build. Returns undefined for any other line.
 */
export function summarizeError(line: string): string | undefined {
  const [, buildError, reloadError] = buildErrorLine.exec(line) ?? [];
  if (buildError ?? reloadError) return buildError ?? reloadError;
  const entry = parse(line);
  if (entry?.level !== 'ERROR' && entry?.level !== 'CRITICAL') return undefined;
  const { service, message, detail, error, attempt, maxReceiveCount } = entry;
  const name = String(entry.function_name ?? service);
  const reason = detail ?? (error as { message?: string } | undefined)?.message;
  return [
    `${name}: ${message}`,
    reason === undefined ? '' : `: ${reason}`,
    attempt === undefined ? '' : ` (attempt ${attempt} of ${maxReceiveCount})`,
  ].join('');
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
