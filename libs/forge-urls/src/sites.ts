import type { PullRequestObject } from '@perdure/contracts';

/** What runs on a host. A forge's own tracker goes by the forge's name. */
export type Product = PullRequestObject['forge'] | 'jira' | 'linear';

export interface Site {
  product: Product;
  /** The registered domain: a host inside it that `web` does not know (api., gist.) has no pages of ours. */
  domain: string;
  /** Host names that serve the pages. A group `organisation` is moved to the front of the path. */
  web: RegExp;
  /** The one name under which these hosts are recorded; without it, the host's own. */
  host?: string;
}

/** Public services, whose product is known for certain. */
const SITES: readonly Site[] = [
  // redirect.github.com is what dependency bots write so that GitHub makes no backlink; it leads to the same page.
  { product: 'github', domain: 'github.com', web: /^(?:www\.|redirect\.)?github\.com$/, host: 'github.com' },
  { product: 'github', domain: 'ghe.com', web: /^[^.]+\.ghe\.com$/ },
  { product: 'gitlab', domain: 'gitlab.com', web: /^(?:www\.)?gitlab\.com$/, host: 'gitlab.com' },
  { product: 'bitbucket', domain: 'bitbucket.org', web: /^(?:www\.)?bitbucket\.org$/, host: 'bitbucket.org' },
  { product: 'azure_devops', domain: 'dev.azure.com', web: /^dev\.azure\.com$/ },
  {
    product: 'azure_devops',
    domain: 'visualstudio.com',
    web: /^(?<organisation>[^.]+)\.visualstudio\.com$/,
    host: 'dev.azure.com',
  },
  { product: 'gitea', domain: 'codeberg.org', web: /^(?:www\.)?codeberg\.org$/, host: 'codeberg.org' },
  { product: 'gitea', domain: 'gitea.com', web: /^(?:www\.)?gitea\.com$/, host: 'gitea.com' },
  { product: 'jira', domain: 'atlassian.net', web: /^[^.]+\.atlassian\.net$/ },
  { product: 'linear', domain: 'linear.app', web: /^(?:www\.)?linear\.app$/, host: 'linear.app' },
];

/** Words of a host name by which self-hosted forges are told apart (github.example.com, my-gitlab.example.org). */
const NAMED_AFTER: ReadonlyMap<string, Product> = new Map<string, Product>([
  ['github', 'github'],
  ['ghe', 'github'],
  ['gitlab', 'gitlab'],
  ['bitbucket', 'bitbucket'],
  ['gitea', 'gitea'],
  ['forgejo', 'gitea'],
]);

const NAMEABLE: ReadonlySet<Product> = new Set(NAMED_AFTER.values());

/** The public service whose domain the host name lies in, or null. */
export function siteOf(hostname: string): Site | null {
  return SITES.find(({ domain }) => hostname === domain || hostname.endsWith(`.${domain}`)) ?? null;
}

/** The forge a self-hosted host is named after, or null. The leftmost word wins. */
export function namesake(hostname: string): Product | null {
  const products = hostname.split(/[.-]/).map((word) => NAMED_AFTER.get(word));
  return products.find((product) => product !== undefined) ?? null;
}

/**
 * Whether a host named after one forge rules the product out. On a host named github, `/pulls/17` lists the pull
 * requests of a user named 17 and is no Gitea page. Jira and Azure are never ruled out: one host may serve several.
 */
export function isRuledOut(product: Product, named: Product | null): boolean {
  return named !== null && NAMEABLE.has(product) && product !== named;
}
