/** Node of the trie while it is built; afterwards everything lives in two flat tables. */
interface TrieNode {
  readonly next: Map<number, number>;
  readonly keywords: number[];
}

const ALPHABET = 128; // keywords are ASCII; every other character leads back to the root

/**
 * Finds all occurrences of many ASCII keywords in one pass over a text, whatever their case (Aho and Corasick 1975).
 * Some 260 keywords cost the same per character as one.
 */
export class KeywordScanner {
  readonly #transitions: Int32Array;
  readonly #matches: readonly (readonly number[])[];
  readonly #keywords: readonly string[];

  constructor(keywords: readonly string[]) {
    this.#keywords = keywords.map((keyword) => keyword.toLowerCase());
    const trie = buildTrie(this.#keywords);
    this.#transitions = new Int32Array(trie.length * ALPHABET);
    this.#matches = linkFailures(trie, this.#transitions);
  }

  /**
   * Calls back for each occurrence, ordered by where it ends, with the keyword's number and its first UTF-16 offset.
   * The scan ends early when the callback answers true.
   */
  scan(text: string, onOccurrence: (keyword: number, offset: number) => boolean): void {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      state = unit < ALPHABET ? (this.#transitions[state * ALPHABET + lowerCase(unit)] ?? 0) : 0;
      const matches = this.#matches[state];
      if (matches === undefined || matches.length === 0) continue;
      for (const keyword of matches) {
        const length = this.#keywords[keyword]?.length ?? 0;
        if (onOccurrence(keyword, index - length + 1)) return;
      }
    }
  }
}

const lowerCase = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

function buildTrie(keywords: readonly string[]): TrieNode[] {
  const trie: TrieNode[] = [{ next: new Map(), keywords: [] }];
  for (const [number, keyword] of keywords.entries()) {
    let node = trie[0];
    for (const character of keyword) node = childOf(trie, node, character.charCodeAt(0));
    node?.keywords.push(number);
  }
  return trie;
}

function childOf(trie: TrieNode[], parent: TrieNode | undefined, unit: number): TrieNode | undefined {
  const known = parent?.next.get(unit);
  if (known !== undefined) return trie[known];
  const node: TrieNode = { next: new Map(), keywords: [] };
  parent?.next.set(unit, trie.push(node) - 1);
  return node;
}

/** Fills the table breadth first: a missing edge goes where the longest proper suffix would have gone. */
function linkFailures(trie: readonly TrieNode[], transitions: Int32Array): number[][] {
  const matches = trie.map((node) => [...node.keywords]);
  const failures = new Int32Array(trie.length);
  const queue = [0];
  for (const state of queue) {
    const failure = failures[state] ?? 0;
    if (state !== 0) matches[state]?.push(...(matches[failure] ?? []));
    for (let unit = 0; unit < ALPHABET; unit += 1) {
      const fallback = state === 0 ? 0 : (transitions[failure * ALPHABET + unit] ?? 0);
      const child = trie[state]?.next.get(unit);
      transitions[state * ALPHABET + unit] = child ?? fallback;
      if (child === undefined) continue;
      failures[child] = fallback;
      queue.push(child);
    }
  }
  return matches;
}
