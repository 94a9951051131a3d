import { namesake, siteOf, type Product, type Site } from './sites.js';

/** A url read as far as it can be without knowing any forge. */
export interface WebPage {
  /** Lower case, punycode, with a port other than the scheme's own. */
  host: string;
  /** Decoded once, without the leading slash. A part that cannot be a name is empty, so no form takes it for one. */
  path: string;
  /** `https://host/`, what a canonical url begins with. */
  origin: string;
  /** The product of a public service, known for certain. */
  certain: Product | null;
  /** The product that the name of a self-hosted host suggests. */
  named: Product | null;
}

/** Characters browsers drop or turn into a slash (WHATWG URL, 4.4): other readers of the same text see another url. */
const READ_IN_TWO_WAYS = /[\t\n\r\\]/;
/** No name of a repository holds these; shown, they would forge another name. */
const UNFIT_FOR_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/u;

/**
 * Reads host and path as the WHATWG URL parser has them, so that userinfo, backslashes and homographs do not pass for
 * a host. Null for what is no http(s) url. Never throws. Query, fragment and userinfo are dropped.
 */
export function readWebPage(text: string): WebPage | null {
  const url = urlOf(text.trim());
  if (!url) return null;
  // A trailing dot is the same name in DNS; an empty label is none.
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname.split('.').includes('')) return null;
  const site = siteOf(hostname);
  const place = site?.web.exec(hostname);
  if (site && !place) return null;
  return pageOn(url, hostname, site, place?.groups?.organisation);
}

function urlOf(text: string): URL | null {
  const [beforeTail = ''] = text.split(/[?#]/, 1);
  if (READ_IN_TWO_WAYS.test(beforeTail)) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

function pageOn(url: URL, hostname: string, site: Site | null, organisation: string | undefined): WebPage {
  const host = (site?.host ?? hostname) + (url.port && `:${url.port}`);
  // Public services speak https; a self-hosted one may speak http alone, and a port speaks one scheme.
  const scheme = site && !url.port ? 'https:' : url.protocol;
  const path = url.pathname.slice(1).split('/').map(nameIn).join('/');
  return {
    host,
    path: organisation ? `${organisation}/${path.replace(/^DefaultCollection\//i, '')}` : path,
    origin: `${scheme}//${host}/`,
    certain: site?.product ?? null,
    named: site ? null : namesake(hostname),
  };
}

function nameIn(segment: string): string {
  try {
    const name = decodeURIComponent(segment);
    return UNFIT_FOR_NAMES.test(name) || name.trim() !== name ? '' : name;
  } catch {
    return '';
  }
}
