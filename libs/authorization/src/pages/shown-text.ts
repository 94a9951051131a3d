/** Controls, marks that turn the direction of text, and letters without a body: none belongs into a name. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * A name that a program gave itself, fit to be shown to whoever decides about it: on one line, without characters that
 * hide or reorder what stands around them, and cut to a length.
 */
export function shownName(name: string | undefined, fallback: string, most = 60): string {
  const plain = (name ?? '').normalize('NFC').replace(DECEPTIVE, '').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  if (characters.length === 0) return fallback;
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`;
}

/** Where a redirect leads, in the words of the consent page: a host, or the scheme of an application on this machine. */
export function redirectTarget(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return 'an unknown place';
  const { protocol, hostname, host } = new URL(redirectUri);
  if (isLoopback(hostname)) return `this computer (${host})`;
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}// on this computer`;
}

const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** In this order: browsers name their ancestors too. */
const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'CrOS', 'Linux'];
const COMMON_NAMES: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
};

/** `Chrome on Linux`, as far as a browser says what it is; else what it calls itself. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  if (browser === undefined || system === undefined) return userAgent;
  return `${COMMON_NAMES[browser] ?? browser} on ${COMMON_NAMES[system] ?? system}`;
}
