/**
 * A day's visitors to a link, as a HyperLogLog sketch. A visitor is a mark: one of 20,480 buckets and a
 * rank, which is n with the probability 2^-n. A day with few visitors has their marks themselves. One with
 * more has 1,280 registers: the highest rank of 16 buckets each. A sketch depends only on the set of marks,
 * not on their order, number or grouping, so a union can be repeated.
 *
 * @see Flajolet, Fusy, Gandouet, Meunier: HyperLogLog (2007). Ertl: New cardinality estimation algorithms
 * for HyperLogLog sketches (2017), https://arxiv.org/abs/1702.01284
 */
export type Sketch = ReadonlySet<number> | Registers;
type Registers = Uint8Array;

const registerCount = 1_280;
const bucketsInRegister = 16;
const bucketCount = registerCount * bucketsInRegister;
const rankBits = 5;
const ranks = 2 ** rankBits;
const maxRank = ranks - 1;
/** Marks are below this. */
const markCount = bucketCount * ranks;

/** The first byte of a stored sketch, which says what follows. */
const forms = { marks: 1, registers: 2 } as const;
const markBytes = 3;
const registerBytes = (registerCount * rankBits) / 8;
/** A sketch never takes more, so that its item stays below 1 KB and a write costs one unit. */
export const maxSketchBytes = 1 + registerBytes;
/** As many marks as registers have room for. */
export const maxMarks = Math.floor(registerBytes / markBytes);

export const noVisitors: Sketch = new Set();

/** A stored sketch has a form that this version doesn't know. */
export class SketchFormError extends Error {
  override readonly name = 'SketchFormError';
}

/** A visitor's mark, from 64 bits of a hash. */
export function toMark(hash: Buffer): number {
  const bucket = Math.floor((hash.readUInt32BE(0) / 2 ** 32) * bucketCount);
  const rank = Math.min(maxRank, Math.clz32(hash.readUInt32BE(4)) + 1);
  return bucket * ranks + rank;
}

/** Ranks begin at 1. */
export function isMark(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return false;
  return value >= 0 && value < markCount && value % ranks !== 0;
}

/** The sketch of everyone in any of these sketches. Marks stay as they are if all sketches have them. */
export function unite(sketches: readonly Sketch[]): Sketch {
  const marks = new Set<number>();
  let registers: Registers | undefined;
  for (const sketch of sketches) {
    if (sketch instanceof Uint8Array) {
      registers ??= new Uint8Array(registerCount);
      for (let index = 0; index < registerCount; index += 1) raise(registers, index, sketch[index]);
    } else for (const mark of sketch) marks.add(mark);
  }
  if (!registers) return marks;
  for (const mark of marks) {
    raise(registers, Math.floor(mark / ranks / bucketsInRegister), mark % ranks);
  }
  return registers;
}

function raise(registers: Registers, index: number, rank = 0): void {
  if (rank > (registers[index] ?? 0)) registers[index] = rank;
}

/** The fewest visitors that a sketch can have: each mark and each register needs one. */
export function leastVisitors(sketch: Sketch): number {
  return sketch instanceof Uint8Array ? sketch.filter((rank) => rank > 0).length : sketch.size;
}

/** A sketch as it's stored: at most {@link maxSketchBytes}, and the same for the same visitors. */
export function toBytes(sketch: Sketch): Buffer {
  if (sketch instanceof Uint8Array) return packRegisters(sketch);
  if (sketch.size > maxMarks) return packRegisters(unite([sketch, new Uint8Array(registerCount)]));
  const bytes = Buffer.alloc(1 + sketch.size * markBytes);
  bytes[0] = forms.marks;
  for (const [index, mark] of [...sketch].sort((a, b) => a - b).entries()) {
    bytes.writeUIntBE(mark, 1 + index * markBytes, markBytes);
  }
  return bytes;
}

/** Reads a stored sketch. Throws {@link SketchFormError}. */
export function fromBytes(stored: Uint8Array): Sketch {
  const bytes = Buffer.from(stored);
  if (bytes[0] === forms.registers && bytes.length === maxSketchBytes)
    return unpackRegisters(bytes);
  const count = (bytes.length - 1) / markBytes;
  if (bytes[0] === forms.marks && Number.isInteger(count)) {
    const marks = new Set<number>();
    for (let index = 0; index < count; index += 1) {
      marks.add(bytes.readUIntBE(1 + index * markBytes, markBytes));
    }
    if ([...marks].every(isMark)) return marks;
  }
  throw new SketchFormError(
    `expected a sketch of a known form; got ${bytes.length} bytes that begin with ${bytes[0]}`,
  );
}

/** Eight registers take five bytes. */
function packRegisters(registers: Iterable<number>): Buffer {
  const bytes = Buffer.alloc(maxSketchBytes);
  bytes[0] = forms.registers;
  for (const [index, rank] of [...registers].entries()) {
    const bit = index * rankBits;
    const byte = 1 + Math.floor(bit / 8);
    const shifted = rank << (16 - rankBits - (bit % 8));
    bytes[byte] = (bytes[byte] ?? 0) | (shifted >> 8);
    bytes[byte + 1] = (bytes[byte + 1] ?? 0) | (shifted & 0xff);
  }
  return bytes;
}

// An overview reads thousands. A plain loop takes a tenth of what Uint8Array.from does.
function unpackRegisters(bytes: Buffer): Registers {
  const registers = new Uint8Array(registerCount);
  for (let index = 0; index < registerCount; index += 1) {
    const bit = index * rankBits;
    const byte = 1 + Math.floor(bit / 8);
    const shifted = ((bytes[byte] ?? 0) << 8) | (bytes[byte + 1] ?? 0);
    registers[index] = (shifted >> (16 - rankBits - (bit % 8))) & maxRank;
  }
  return registers;
}

/** Estimates how many visitors a sketch has seen, as a whole number. */
export function estimateVisitors(sketch: Sketch): number {
  const estimate =
    sketch instanceof Uint8Array ? estimateByRegisters(sketch) : estimateByMarks(sketch.size);
  return Math.round(estimate);
}

/** The number of visitors who are expected to have this many different marks. */
function estimateByMarks(marks: number): number {
  let low = marks;
  let high = Math.max(1, 2 * marks);
  while (expectMarks(high) < marks) high *= 2;
  while (high - low > 0.01) {
    const middle = (low + high) / 2;
    if (expectMarks(middle) < marks) low = middle;
    else high = middle;
  }
  return high;
}

/** How many different marks this many visitors are expected to have. */
function expectMarks(visitors: number): number {
  let marks = 0;
  for (let rank = 1; rank <= maxRank; rank += 1) {
    const probability = 2 ** -Math.min(rank, maxRank - 1) / bucketCount;
    marks -= bucketCount * Math.expm1(-visitors * probability);
  }
  return marks;
}

/** Ertl's improved raw estimator (algorithm 6), which is unbiased for small and large numbers too. */
function estimateByRegisters(registers: Registers): number {
  const counts = new Array<number>(ranks).fill(0);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;
  const share = (rank: number) => (counts[rank] ?? 0) / registerCount;
  let sum = tau(1 - share(maxRank));
  for (let rank = maxRank - 1; rank >= 1; rank -= 1) sum = (sum + share(rank)) / 2;
  sum += sigma(share(0));
  return registerCount / (2 * Math.LN2 * sum);
}

function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let power = x;
  let factor = 1;
  let sum = x;
  for (let last = -1; sum !== last; ) {
    last = sum;
    power *= power;
    sum += power * factor;
    factor *= 2;
  }
  return sum;
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let root = x;
  let factor = 1;
  let sum = 1 - x;
  for (let last = -1; sum !== last; ) {
    last = sum;
    root = Math.sqrt(root);
    factor /= 2;
    sum -= (1 - root) ** 2 * factor;
  }
  return sum / 3;
}
