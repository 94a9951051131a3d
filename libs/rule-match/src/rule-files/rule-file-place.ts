import { compileGlob } from '../globs/compile-glob.js';
import { normalizePath } from '../globs/normalize-path.js';
import type { Triggers } from '../rule.js';

export type RuleFileFormat = 'cursor' | 'claude' | 'copilot' | 'sections';

export interface RuleFilePlace {
  readonly format: RuleFileFormat;
  /** Directory the file holds for, without a slash at its end; empty for the whole repository. */
  readonly directory: string;
  /** Name of the file without its ending, for a title where the file has none. */
  readonly name: string;
}

/** Where the tools keep their rules. Copilot reads them at the root alone. */
const PLACES: readonly (readonly [RuleFileFormat, RegExp])[] = [
  ['cursor', /^(?:(?<directory>.+)\/)?\.cursor\/rules\/(?:.+\/)?(?<name>[^/]+)\.mdc$/],
  ['claude', /^(?:(?<directory>.+)\/)?\.claude\/rules\/(?:.+\/)?(?<name>[^/]+)\.md$/],
  ['copilot', /^\.github\/instructions\/(?:.+\/)?(?<name>[^/]+)\.instructions\.md$/],
  ['sections', /^(?:(?<directory>.+)\/)?(?<name>AGENTS|CLAUDE)\.md$/],
];

export const KNOWN_PLACES =
  '.cursor/rules/*.mdc, .claude/rules/*.md, .github/instructions/*.instructions.md, AGENTS.md, CLAUDE.md';

/** Which tool's rules a path holds; null for any other file. */
export function placeOf(path: string): RuleFilePlace | null {
  const normal = normalizePath(path);
  if (typeof normal === 'string') return null;
  for (const [format, form] of PLACES) {
    const groups = form.exec(normal.text)?.groups;
    if (groups) return { format, directory: withoutClaude(groups.directory ?? ''), name: groups.name ?? '' };
  }
  return null;
}

/** `.claude/CLAUDE.md` holds for what stands around its folder. */
const withoutClaude = (directory: string): string => directory.replace(/(?:^|\/)\.claude$/, '');

/** A file of a directory below the root holds for that directory: its globs start there, and `always` means all of it. */
export function scopeToDirectory(
  directory: string,
  rule: { readonly triggers: Triggers; readonly always: boolean },
): { triggers: Triggers; always: boolean } {
  if (directory === '') return rule;
  const root = escapeGlob(directory);
  if (rule.always) return { triggers: { paths: [`${root}/**`] }, always: false };
  const { paths, ...others } = rule.triggers;
  if (!paths) return rule;
  return { triggers: { paths: paths.map((glob) => beneath(root, glob)), ...others }, always: false };
}

function beneath(root: string, glob: string): string {
  const [sign, body] = signAndBody(glob);
  if (body === '**') return `${sign}${root}/**`;
  return `${sign}${root}/${startsAtRoot(glob) ? body.replace(/^(?:\.?\/)+/, '') : `**/${body}`}`;
}

/** Claude and Copilot read a glob without a slash as one of the root's files; here it would hold at any depth. */
export function anchoredAtRoot(glob: string): string {
  const [sign, body] = signAndBody(glob);
  return body === '**' || startsAtRoot(glob) ? glob : `${sign}/${body}`;
}

/** The way back: a glob as Claude writes it. */
export function withoutAnchor(glob: string): string {
  const [sign, body] = signAndBody(glob);
  const whole = body.endsWith('/') ? `${body}**` : body;
  if (whole === '**' || whole.startsWith('**/')) return `${sign}${whole}`;
  if (!startsAtRoot(glob)) return `${sign}**/${whole}`;
  const bare = whole.replace(/^(?:\.?\/)+/, '');
  return `${sign}${bare.startsWith('!') ? `\\${bare}` : bare}`;
}

/** All alternatives of its braces hold a slash before their end. */
function startsAtRoot(glob: string): boolean {
  const compiled = compileGlob(glob);
  return compiled.kind === 'glob' && compiled.alternatives.every(({ anchored }) => anchored);
}

const signAndBody = (glob: string): [sign: string, body: string] =>
  glob.startsWith('!') ? ['!', glob.slice(1)] : ['', glob];

/** A directory's name as a glob that means it alone. */
const escapeGlob = (path: string): string => path.replace(/[\\*?[\]{},]/g, '\\$&').replace(/^!/, '\\!');
