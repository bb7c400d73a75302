import { InvalidArgumentError } from 'commander';
const unitMs = { s: 1000, m: 60000, h: 3600000, d: 86400000 };
/**
 * Parses a duration such as 90s, 30m, 12h or 7d into milliseconds.
 * @throws {InvalidArgumentError} for anything else.
 */
export function parseDuration(text) {
    const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
    const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
    if (Number.isSafeInteger(ms))
        return ms;
    throw new InvalidArgumentError('Expected a duration such as 90s, 30m, 12h or 7d.');
}
/** Formats a duration in its two largest units, such as 3d 4h. */
export function formatDuration(ms) {
    const parts = [];
    let restMs = Math.max(0, ms);
    for (const [unit, sizeMs] of Object.entries(unitMs).reverse()) {
        const amount = Math.floor(restMs / sizeMs);
        restMs %= sizeMs;
        if (amount > 0 || parts.length > 0)
            parts.push(amount > 0 ? `${amount}${unit}` : '');
    }
    return parts.slice(0, 2).join(' ').trimEnd() || '0s';
}
