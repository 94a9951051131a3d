// Kinds of lines, and words the compiler should not meet.
import ts from 'typescript';

const lineOf = (tree, position) => tree.getLineAndCharacterOfPosition(position).line;

/** Lines on which a token of code stands, 0-based. The scanner knows a `//` in a string from a comment. */
const codeLines = (tree) => {
  const lines = new Set();
  const visit = (node) => {
    if (node.getChildCount() > 0) {
      for (const child of node.getChildren()) if (!ts.isJSDoc(child)) visit(child);
      return;
    }
    if (node.getWidth() === 0) return;
    for (let line = lineOf(tree, node.getStart()); line <= lineOf(tree, node.end); line += 1) lines.add(line);
  };
  visit(tree);
  return lines;
};

/**
 * @returns {{code: number, comment: number}} lines with code, and lines with nothing but comment; blank ones are neither
 */
export const lineKinds = ({ text, tree }) => {
  const code = codeLines(tree);
  const isComment = (line, index) => line.trim() !== '' && !code.has(index);
  return { code: code.size, comment: text.split('\n').filter(isComment).length };
};

/** How often `any` is written as a type. */
export const anyCount = ({ tree }) => {
  let count = 0;
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return count;
};

/** Folders between `src` and the file. */
export const foldersUnderSource = ({ path }) => path.split('/src/')[1].split('/').length - 1;
