// Which words of one text the other does not have, in order: what changed between the two prompts of a pair.

const LARGEST = 1_000_000; // beyond, the stretch between what both begin and end with counts as changed altogether

export const words = (text: string): string[] => text.match(/\S+/g) ?? [];

/** For each word of `a`, 1 where it is not part of the longest run of words common to both. */
export function changed(a: string[], b: string[]): Uint8Array {
  const marks = new Uint8Array(a.length).fill(1);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) marks[head++] = 0;
  let [endA, endB] = [a.length, b.length];
  while (endA > head && endB > head && a[endA - 1] === b[endB - 1]) {
    marks[--endA] = 0;
    endB--;
  }
  const [n, m] = [endA - head, endB - head];
  if (n * m > LARGEST) return marks;
  // lengths[i][j]: the longest common run of what follows word i of a and word j of b
  const lengths = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const same = a[head + i] === b[head + j];
      lengths[i]![j] = same ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[head + i] === b[head + j]) {
      marks[head + i++] = 0;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return marks;
}
