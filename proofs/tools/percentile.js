/** The percentile for a share from 0 to 1, by nearest rank. */
export function percentile(values, share) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
