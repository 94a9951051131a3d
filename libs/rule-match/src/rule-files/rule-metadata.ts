import { SEVERITIES, type Severity, type Triggers } from '../rule.js';
import { describeProblem, isRecord } from '../validation/trigger-problem.js';
import { validateTriggers } from '../validation/validate-triggers.js';
import { RuleFileFault } from './rule-file.js';

/** What of a rule the formats of other tools cannot say. */
export interface RuleMetadata {
  readonly severity?: Severity;
  /** Of every dimension but paths, which the formats have fields for. */
  readonly triggers: Omit<Triggers, 'paths'>;
}

const COMMENT = /^<!-- perdure (\{.*\}) -->$/;
const NONE: RuleMetadata = { triggers: {} };

/**
 * The comment an export ends a file with, so that an import gives the same rule again; null when there is nothing to say.
 * Angle brackets and double hyphens are escaped: the comment must not end early.
 */
export function writeMetadata({ severity, triggers }: RuleMetadata): string | null {
  const content = {
    ...(severity === undefined ? {} : { severity }),
    ...(Object.keys(triggers).length === 0 ? {} : { triggers }),
  };
  if (Object.keys(content).length === 0) return null;
  const json = JSON.stringify(content).replace(/[<>]|--/g, (text) =>
    Array.from(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  return `<!-- perdure ${json} -->`;
}

/**
 * Takes that comment off the end of a text.
 *
 * @param firstLine 1-based line of the first of the lines
 * @throws RuleFileFault when someone wrote one that says nothing sound
 */
export function takeMetadata(
  lines: readonly string[],
  firstLine: number,
): { metadata: RuleMetadata; rest: readonly string[] } {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const json = COMMENT.exec((lines[last] ?? '').trim())?.[1];
  if (json === undefined) return { metadata: NONE, rest: lines };
  return { metadata: readMetadata(json, firstLine + last), rest: lines.slice(0, last) };
}

function readMetadata(json: string, line: number): RuleMetadata {
  const value = parsed(json);
  if (!isRecord(value)) throw new RuleFileFault(line, 'the perdure comment holds no JSON object');
  const { severity, triggers = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new RuleFileFault(line, `the perdure comment knows no ${unknown}`);
  const known = SEVERITIES.find((name) => name === severity);
  if (severity !== undefined && known === undefined) {
    throw new RuleFileFault(line, `the severity in the perdure comment is one of ${SEVERITIES.join(', ')}`);
  }
  const [problem] = validateTriggers(triggers);
  if (problem) throw new RuleFileFault(line, describeProblem(problem), problem.code);
  if (!isRecord(triggers) || 'paths' in triggers) {
    throw new RuleFileFault(line, 'paths stand in the frontmatter, not in the perdure comment');
  }
  return { ...(known === undefined ? {} : { severity: known }), triggers };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
