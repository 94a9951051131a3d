// Length and nesting of functions.
import ts from 'typescript';

const CONTROL_STRUCTURES = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.TryStatement,
]);

/** `else if` stands beside its `if`, not inside it. */
const isElseIf = (node) =>
  ts.isIfStatement(node) && ts.isIfStatement(node.parent) && node.parent.elseStatement === node;

const nests = (node) => CONTROL_STRUCTURES.has(node.kind) && !isElseIf(node);

/** Depth of control structures in one function; a function inside it counts for itself, as it does for a reader. */
const depthWithin = (node) => {
  let deepest = 0;
  ts.forEachChild(node, (child) => {
    if (ts.isFunctionLike(child)) return;
    deepest = Math.max(deepest, depthWithin(child) + (nests(child) ? 1 : 0));
  });
  return deepest;
};

const lineOf = (tree, position) => tree.getLineAndCharacterOfPosition(position).line + 1;

/**
 * Functions, methods and accessors with a block body: an arrow with an expression is an expression.
 * @returns {{path: string, line: number, length: number, depth: number}[]} length in lines, first to last brace
 */
export const functionsIn = ({ path, tree }) => {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body)) {
      const line = lineOf(tree, node.getStart());
      found.push({ path, line, length: lineOf(tree, node.end) - line + 1, depth: depthWithin(node.body) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
};
