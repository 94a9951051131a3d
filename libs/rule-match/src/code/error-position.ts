import { codePointLength } from '@perdure/contracts';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { unclosedGroup } from './pattern-scan.js';

/**
 * Where in the pattern an RE2 error lies, as a zero-based code point index. RE2 names the faulty text but not its place,
 * and that text may stand elsewhere in good order: `a*|*b` holds two stars.
 */
export function errorPosition(pattern: string, error: RE2JSSyntaxException): number {
  return codePointLength(pattern.slice(0, Math.max(0, errorIndex(pattern, error))));
}

function errorIndex(pattern: string, error: RE2JSSyntaxException): number {
  const fault = error.getPattern();
  switch (error.getDescription()) {
    case 'trailing backslash at end of expression':
      return pattern.length - 1;
    // Named with all the text that follows.
    case 'missing closing ]':
      return pattern.lastIndexOf(fault ?? '[');
    case 'missing closing )':
      return unclosedGroup(pattern);
    case 'unexpected )':
      return unexpectedBracket(pattern);
    // Named without the sign that ends the name.
    case 'duplicate capture group name':
      return faultIndex(pattern, `${fault ?? ''}>`, error.message);
    default:
      return fault === null ? 0 : faultIndex(pattern, fault, error.message);
  }
}

/** Reading goes from left to right: the true place is the first where the pattern, cut off behind it, fails alike. */
function faultIndex(pattern: string, fault: string, message: string): number {
  for (let index = pattern.indexOf(fault); index >= 0; index = pattern.indexOf(fault, index + 1)) {
    if (syntaxErrorOf(pattern.slice(0, index + fault.length))?.message === message) return index;
  }
  return pattern.indexOf(fault);
}

/** From the faulty bracket on every longer piece fails alike, so the shortest such piece is found by halving. */
function unexpectedBracket(pattern: string): number {
  let sound = 0;
  let faulty = pattern.length;
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >> 1;
    if (syntaxErrorOf(pattern.slice(0, middle))?.getDescription() === 'unexpected )') faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

function syntaxErrorOf(pattern: string): RE2JSSyntaxException | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof RE2JSSyntaxException ? error : null;
  }
}
