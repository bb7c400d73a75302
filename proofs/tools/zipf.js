/** The expected number of different ranks among `draws` draws of {@link createZipf}. */
export function countDistinct(count, draws) {
    const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 1));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.reduce((total, weight) => total + 1 - Math.exp((-draws * weight) / sum), 0);
}
/** Draws ranks from 0 up to, but not including, `count`, rank n in proportion to 1 / (n + 1). */
export function createZipf(count, random) {
    const sums = new Float64Array(count);
    let sum = 0;
    for (let rank = 0; rank < count; rank += 1) {
        sum += 1 / (rank + 1);
        sums[rank] = sum;
    }
    return () => {
        const drawn = random.fraction() * sum;
        let low = 0;
        let high = count - 1;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((sums[middle] ?? 0) > drawn)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
}
