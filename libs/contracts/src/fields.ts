import { z } from 'zod';
import { DIFF_HASH, FAILING_SIGNATURE_LIMIT, ONE_LINE } from './loop-rules.js';
import { LINE_LIMIT, textProblem } from './text.js';

/** Limits in code points (OPERATIONS, head). */
export const LIMITS = {
  title: 200,
  line: LINE_LIMIT,
  markdown: 32_000,
  array: 200,
  page: 200,
  defaultPage: 50,
  tag: 100,
  path: 1_000,
  url: 2_000,
  attributes: 50,
} as const;

/** A ULID in its canonical spelling: 26 characters of Crockford's base 32, at most 128 bits. */
export const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Marks a text field for the secret guard (L4): the dispatcher reads it off the schema. */
const FREE_TEXT = { freeText: true } as const;

interface TextRule {
  readonly max: number;
  readonly blank?: boolean;
}

function text({ max, blank = false }: TextRule) {
  const minimum = blank ? {} : { minLength: 1 };
  return z
    .string()
    .superRefine((value, context) => {
      const message = textProblem(value, { max, blank });
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ ...minimum, maxLength: max, ...FREE_TEXT });
}

/** Text of which every character counts, blanks too; of at least one and at most so many code points. */
export const freeText = (max: number) => text({ max, blank: true }).min(1);

/** The id of any object. */
export const id = () =>
  z.string().regex(ULID_PATTERN, 'must be a ULID: 26 characters such as 01K5ZQ8W3M9X7B2C4D6E8F0G1H');

/** An instant as it is stored and hashed: RFC 3339, UTC, three fraction digits. */
export const instant = () => z.string().meta({ format: 'date-time' });

/** An instant as a caller may write it: RFC 3339 with `Z` or an offset. */
export const instantInput = () => z.iso.datetime({ offset: true, message: 'must be an RFC 3339 instant' }).max(40);

/** A calendar date that exists, years 0001 to 9999. Words that Postgres would take (`today`, `infinity`) are refused. */
export const date = () =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { message: 'must be a date as YYYY-MM-DD', abort: true })
    .refine(isCalendarDate, 'is not a day of the calendar');

export const title = () => text({ max: LIMITS.title });
export const line = () => text({ max: LIMITS.line });
export const markdown = () => text({ max: LIMITS.markdown });

/** A text whose cap has a refusal of its own (`state_too_large`): the handler checks it, the schema only says it. */
export const cappedMarkdown = () => z.string().meta({ maxLength: LIMITS.markdown, ...FREE_TEXT });

/** `project` takes an id or a slug. */
export const projectReference = () => line();

/** `workspace` takes an id or a slug; only platform operations have it. */
export const workspaceReference = () => line();

/** Lower-case words joined by single hyphens, 1 to 60 characters; never shaped like an id. */
export const slug = () =>
  z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens, such as my-project')
    // Some credentials are such words too.
    .meta({ ...FREE_TEXT });

/** 7 to 16, 40 or 64 hex digits; kept in lower case. */
export const commitSha = () =>
  z
    .string()
    .regex(/^(?:[0-9a-fA-F]{7,16}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'must be 7 to 16, 40 or 64 hex digits')
    .transform((sha) => sha.toLowerCase());

/** A path in the repository, relative to its root, `/` between segments; `\` is turned, a leading `./` or `/` dropped. */
export const repositoryPath = () =>
  text({ max: LIMITS.path })
    .transform(toRepositoryPath)
    .refine((path) => path !== '' && !path.split('/').includes('..'), 'must stay inside the repository');

export const url = () => text({ max: LIMITS.url });

/** An address as browsers take it in a form (WHATWG HTML, valid e-mail address); domains outside ASCII in punycode. */
export const emailAddress = () =>
  z
    .string()
    .max(254)
    .regex(
      /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/,
      'must be an e-mail address such as ada@example.com',
    );

export const idempotencyKey = () => z.string().min(1).max(200);

/** Which loop: its project, branch and name. */
export const loopInput = { project: projectReference(), branch: line(), loop: line() };

/** One line that names the first failing assertion, at most 200 code points: a whole output does not fit (L4). */
export const failingSignature = () =>
  text({ max: FAILING_SIGNATURE_LIMIT }).refine((value) => ONE_LINE.pattern.test(value), ONE_LINE.problem);

/** 7 to 64 hex digits: a diff does not fit (L4). Kept in lower case. */
export const diffHash = () =>
  z
    .string()
    .regex(DIFF_HASH.pattern, DIFF_HASH.problem)
    .transform((hash) => hash.toLowerCase());

/** A list without repetitions, in the order given. */
export const uniqueArray = <Item extends z.ZodType>(item: Item, max: number = LIMITS.array) =>
  z
    .array(item)
    .max(max)
    .transform((items) => [...new Set(items)]);

export const tags = () => uniqueArray(text({ max: LIMITS.tag }));
export const paths = () => uniqueArray(repositoryPath());

/** Free facts of a project, text to text (R2). */
export const attributes = () =>
  z
    .record(text({ max: LIMITS.tag }), text({ max: LIMITS.line }))
    .refine((value) => Object.keys(value).length <= LIMITS.attributes, `at most ${LIMITS.attributes} attributes`);

/** `limit` and `cursor` of every list. */
export const pageInput = {
  limit: z.int().min(1).max(LIMITS.page).optional(),
  cursor: z.string().max(2_000).optional(),
};

/** `{items, next_cursor}` of every list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

export const count = () => z.int().min(0);

function isCalendarDate(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  if (year < 1) return false;
  const parsed = new Date(Date.UTC(2000, 0, 1));
  parsed.setUTCFullYear(year, month - 1, day);
  return parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === day;
}

function toRepositoryPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
