/** A page as it was answered. */
export interface Answered {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How a test reaches a server: as it is, or by way of a proxy. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const direct: Fetch = (url, init) => fetch(url, init);

interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Longer chains of redirects are a loop. */
const MAX_REDIRECTS = 10;

/**
 * A person's browser without its screen: cookies by host as browsers keep them (ports do not matter), redirects followed
 * until one leads to `stopsAt`, forms sent with their hidden fields.
 */
export class Browser {
  /** @param stopsAt start of the addresses at which a program waits for its answer */
  constructor(
    private readonly stopsAt: readonly string[] = [],
    private readonly fetch: Fetch = direct,
    private readonly cookies = new Map<string, { name: string; value: string; path: string }>(),
  ) {}

  /** The same browser, which follows every redirect. */
  notStopping(): Browser {
    return new Browser([], this.fetch, this.cookies);
  }

  open(url: string): Promise<Answered> {
    return this.follow(url, { method: 'GET' });
  }

  /** Presses a button: sends the form of the page that holds `fields`' names or, without any, the first. */
  submit(page: Answered, fields: Readonly<Record<string, string>> = {}, actionPart = ''): Promise<Answered> {
    const form = formsIn(page.text).find(({ action }) => action.includes(actionPart));
    if (form === undefined) throw new Error(`there is no such form on ${page.url}: ${page.text.slice(0, 500)}`);
    const body = new URLSearchParams({ ...form.fields, ...fields }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return this.follow(new URL(form.action, page.url).href, { method: 'POST', body, headers });
  }

  /** Cookies that would be sent there, by name. */
  cookiesFor(url: string): Readonly<Record<string, string>> {
    const { hostname, pathname } = new URL(url);
    const sent = [...this.cookies].filter(
      ([key, { path }]) => key.startsWith(`${hostname} `) && isBelow(pathname, path),
    );
    return Object.fromEntries(sent.map(([, { name, value }]) => [name, value]));
  }

  private async follow(url: string, init: RequestInit): Promise<Answered> {
    let [target, request] = [url, init];
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const answer = await this.send(target, request);
      const location = answer.headers.get('location');
      if (location === null || answer.status < 300 || answer.status > 399) return answer;
      target = new URL(location, target).href;
      if (this.stopsAt.some((start) => target.startsWith(start))) return { ...answer, url: target };
      request = { method: 'GET' };
    }
    throw new Error(`redirected without an end, last to ${target}`);
  }

  private async send(url: string, init: RequestInit): Promise<Answered> {
    const cookie = Object.entries(this.cookiesFor(url))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const headers = { accept: 'text/html', 'user-agent': 'test browser', ...init.headers, cookie };
    const response = await this.fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(new URL(url).hostname, line);
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  private keep(hostname: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=', 2);
    const attribute = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute('path') ?? '/';
    const key = `${hostname} ${path} ${name}`;
    const expires = attribute('expires');
    if (value === '' || (expires !== undefined && Date.parse(expires) <= Date.now())) this.cookies.delete(key);
    else this.cookies.set(key, { name, value, path });
  }
}

const isBelow = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

function formsIn(text: string): Form[] {
  return [...text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action = '', inside = '']) => {
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    return {
      action: action.replaceAll('&amp;', '&'),
      fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
    };
  });
}
