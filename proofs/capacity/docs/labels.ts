/** A rectangle of a picture, in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A label and the point that it names. */
export interface Label {
  text: string;
  x: number;
  y: number;
}

export const labelSize = 13;
/** Of the widest usual fonts, a bit more than a letter takes. */
const letterWidth = 0.57 * labelSize;
const height = labelSize + 3;
const gap = 12;

/**
 * Finds a place for each label beside, above or below its point, where it meets no obstacle, no
 * other label, and stays within the frame.
 * @throws {Error} if there is none.
 */
export function placeLabels(
  labels: readonly Label[],
  obstacles: readonly Box[],
  frame: Box,
): (Label & { box: Box })[] {
  const taken = [...obstacles];
  return labels.map((label) => {
    const box = listPlaces(label).find(
      (place) => isInside(place, frame) && !taken.some((other) => overlap(place, other)),
    );
    if (!box) throw new Error(`expected a free place for the label ${label.text}; there is none`);
    taken.push(box);
    return { ...label, box };
  });
}

/** The nearest first. */
function listPlaces({ text, x, y }: Label): Box[] {
  const width = text.length * letterWidth;
  const [right, left, middle] = [x + gap, x - gap - width, x - width / 2];
  const level = y - height / 2;
  return [0, 1, 2, 3, 4].flatMap((step) => {
    const [above, below] = [y - gap - height * (step + 1), y + gap + height * step];
    const tops = step === 0 ? [level] : [level - height * step, level + height * step];
    const places = [
      ...tops.flatMap((top) => [right, left].map((start) => [start, top])),
      ...[above, below].map((top) => [middle, top]),
    ];
    return places.map(([start = 0, top = 0]) => ({ left: start, top, width, height }));
  });
}

function isInside(box: Box, frame: Box): boolean {
  return (
    box.left >= frame.left &&
    box.top >= frame.top &&
    box.left + box.width <= frame.left + frame.width &&
    box.top + box.height <= frame.top + frame.height
  );
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
