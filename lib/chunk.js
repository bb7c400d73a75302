/** Cuts a list into lists of at most this size. */
export function chunk(list, size) {
    const count = Math.ceil(list.length / size);
    return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
