/** Typing faults within which a name is taken for another. */
const MAX_DISTANCE = 2;

/** The known name that was probably meant: at most two typing faults away, and fewer than its own letters. */
export function nearestName(given: string, known: Iterable<string>): string | null {
  const lower = given.toLowerCase();
  let best: string | null = null;
  let fewest = Math.min(MAX_DISTANCE, given.length - 1) + 1;
  for (const name of known) {
    if (Math.abs(name.length - lower.length) >= fewest) continue;
    const distance = typingFaults(lower, name.toLowerCase());
    if (distance < fewest) {
      best = name;
      fewest = distance;
    }
  }
  return best;
}

/** Letters added, left out, replaced, or two of them swapped (restricted Damerau–Levenshtein distance). */
function typingFaults(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped && row > 1 && column > 1) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
