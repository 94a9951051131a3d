const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*$/;

export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Which lines belong to a fenced code block, its fences included (CommonMark 0.31, section 4.5). */
export function fencedLines(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  return lines.map((line) => {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      // The info string behind backticks holds none.
      if (fence === '' || (fence.startsWith('`') && rest.includes('`'))) return false;
      open = fence;
    } else if (fence.startsWith(open) && rest.trim() === '') {
      open = null;
    }
    return true;
  });
}

/** An ATX heading (CommonMark 0.31, section 4.2), or null. A closing row of `#` is no part of its text. */
export function headingOf(line: string): Heading | null {
  const [, marks, text = ''] = HEADING.exec(line) ?? [];
  if (marks === undefined) return null;
  return { level: marks.length, text: text.replace(/(?:^|[ \t]+)#+$/, '').replace(/\\#(#*)$/, '#$1') };
}

/** A title as a first-level heading that `headingOf` reads back. */
export const headingLine = (title: string): string => `# ${title.replace(/(^|[ \t])(#+)$/, '$1\\$2')}`;

/** Without blank lines at either end or blanks behind the text. */
export const trimmedText = (lines: readonly string[]): string => lines.join('\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '');
