import { GlobSyntaxError } from './glob-syntax-error.js';
import type { GlobToken } from './glob-tokens.js';

/** A glob may stand for so many; `{a,b}` twenty times over would be a million. */
const MAX_ALTERNATIVES = 256;
/** Signs of all alternatives together: bounds the compiled program. */
const MAX_EXPANDED_TOKENS = 10_000;

/** A token without structure: what is left of a glob once its braces are expanded. */
export type FlatToken = Exclude<GlobToken, { kind: 'open' | 'comma' | 'close' }>;

type Node = FlatToken | { readonly kind: 'choice'; readonly options: readonly Node[][] };

/**
 * Expands braces as a shell does: `{a,b{c,d}}` stands for a, bc and bd. A brace without a comma is literal text, and
 * `{1..3}` is such a brace: ranges would be a door for `{1..1000000}`.
 *
 * @throws GlobSyntaxError for a brace that is not closed, or for too many alternatives
 */
export function expandBraces(tokens: readonly GlobToken[]): FlatToken[][] {
  const nodes = readNodes(tokens);
  const count = countAlternatives(nodes);
  if (count > MAX_ALTERNATIVES) {
    throw new GlobSyntaxError(`the braces stand for more than ${MAX_ALTERNATIVES} patterns: split the glob`, 0);
  }
  const alternatives = expand(nodes);
  const size = alternatives.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_EXPANDED_TOKENS) {
    throw new GlobSyntaxError(
      `expanded, the braces have more than ${MAX_EXPANDED_TOKENS} characters: split the glob`,
      0,
    );
  }
  return alternatives;
}

interface OpenBrace {
  readonly position: number;
  readonly options: Node[][];
}

function readNodes(tokens: readonly GlobToken[]): Node[] {
  const root: Node[] = [];
  const open: OpenBrace[] = [];
  const current = (): Node[] => open.at(-1)?.options.at(-1) ?? root;
  for (const token of tokens) {
    if (token.kind === 'open') {
      open.push({ position: token.position, options: [[]] });
    } else if (token.kind === 'comma') {
      const brace = open.at(-1);
      if (brace) brace.options.push([]);
      else root.push(literal(','));
    } else if (token.kind === 'close') {
      const brace = open.pop();
      current().push(...(brace ? closed(brace) : [literal('}')]));
    } else {
      current().push(token);
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) {
    throw new GlobSyntaxError('the brace is not closed: add "}", or write \\{ for the character', unclosed.position);
  }
  return root;
}

function closed({ options }: OpenBrace): Node[] {
  const [only, ...others] = options;
  if (only && others.length === 0) return [literal('{'), ...only, literal('}')];
  return [{ kind: 'choice', options }];
}

const literal = (text: string): FlatToken => ({ kind: 'literal', text });

const countAlternatives = (nodes: readonly Node[]): number =>
  nodes.reduce((product, node) => {
    if (node.kind !== 'choice') return product;
    return product * node.options.reduce((sum, option) => sum + countAlternatives(option), 0);
  }, 1);

function expand(nodes: readonly Node[]): FlatToken[][] {
  let results: FlatToken[][] = [[]];
  for (const node of nodes) {
    if (node.kind === 'choice') {
      const endings = node.options.flatMap(expand);
      results = results.flatMap((start) => endings.map((ending) => [...start, ...ending]));
    } else {
      for (const result of results) result.push(node);
    }
  }
  return results;
}
