import { isRuledOut, type Product } from './sites.js';
import type { WebPage } from './web-page.js';

/** One kind of page: the paths it is found under and the one path it is recorded under. */
export interface UrlForm {
  product: Product;
  /** Only on the public service, or only on a host of one's own; without it, on both. */
  only?: 'public' | 'self_hosted';
  paths: readonly RegExp[];
  /** Template of the canonical path. */
  page: string;
}

export interface FormMatch<Form extends UrlForm> {
  form: Form;
  names: Names;
}

type Names = Readonly<Record<string, string>>;

const NAME = String.raw`(?!-/)[\w.-]+`;
// GitLab reserves `api` and `groups`; an API address below a path of its own ends in the same words as a page.
const GROUP_PART = String.raw`(?!-/|api/v\d)[\w.-]+`;
// Azure DevOps allows blanks and letters of any script; a leading underscore is left to its own words (_git).
const FREE_NAME = '(?!_)[^/]+';

/** What stands for `{word}` in a path. Every part ends at a slash, so matching is linear in the length of the path. */
const PARTS: Readonly<Record<string, string>> = {
  // The path a server is installed under. Two parts at most: deeper, it is a file inside a repository.
  context: String.raw`(?:(?!(?:api|rest|repos)/)[\w.-]+/){0,2}?`,
  area: String.raw`(?:[\w.-]+/){0,3}?`,
  group: String.raw`(?!(?:api|groups)/)${GROUP_PART}(?:/${GROUP_PART})*?`,
  // Bitbucket also writes workspace and repository as {uuid}.
  workspace: String.raw`[\w.{}-]+`,
  slug: String.raw`[\w.{}-]+`,
  user: String.raw`[\w.@-]+`,
  organisation: FREE_NAME,
  // Read as a collection, the default path of a server would come out differently from the canonical url.
  collection: `(?!tfs/)${FREE_NAME}`,
  project: FREE_NAME,
  repository: FREE_NAME,
  tfs: '(?:tfs/)?',
  front: '(?:[^/]+/)*?',
  number: '[1-9][0-9]*',
  patch: String.raw`(?:\.(?:diff|patch))?`,
  ticket: '[A-Za-z][A-Za-z0-9_]*-[1-9][0-9]*',
};

/** Compiles `{owner}/{repo}/pull/{number}` to a pattern for the head of a path; what follows the next slash is a tail. */
export function route(template: string, flags: 'i' | '' = ''): RegExp {
  const source = template.replaceAll(/\{(\w+)\}/g, (_, word: string) => `(?<${word}>${PARTS[word] ?? NAME})`);
  return new RegExp(`^${source}(?=/|$)`, flags);
}

/** Puts names into a template. */
export function fill(template: string, names: Names): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, word: string) => names[word] ?? '');
}

/** The canonical url of a page: no userinfo, tail, query or fragment. */
export function canonicalUrl(page: WebPage, { form, names }: FormMatch<UrlForm>): string {
  return page.origin + fill(form.page, names).split('/').map(encodeURIComponent).join('/');
}

/** The first form that fits the page; forms of the preferred product are tried before the others. */
export function findForm<Form extends UrlForm>(
  page: WebPage,
  forms: readonly Form[],
  preferred: Product | null = null,
): FormMatch<Form> | null {
  const possible = forms.filter((form) => isPossible(form, page));
  const ordered = [
    ...possible.filter(({ product }) => product === preferred),
    ...possible.filter(({ product }) => product !== preferred),
  ];
  for (const form of ordered) {
    const groups = form.paths.map((path) => path.exec(page.path)?.groups).find((found) => found !== undefined);
    if (groups) return acceptable(form, groups);
  }
  return null;
}

function isPossible({ product, only }: UrlForm, { certain, named }: WebPage): boolean {
  if (certain) return product === certain && only !== 'self_hosted';
  return only !== 'public' && !isRuledOut(product, named);
}

/** Numbers past 2^53 - 1 would be recorded as another number. */
function acceptable<Form extends UrlForm>(form: Form, groups: Names): FormMatch<Form> | null {
  const ticket = groups.ticket?.toUpperCase();
  const digits = groups.number ?? ticket?.slice(ticket.lastIndexOf('-') + 1);
  if (!Number.isSafeInteger(Number(digits))) return null;
  return { form, names: ticket ? { ...groups, ticket } : groups };
}
