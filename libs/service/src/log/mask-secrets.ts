/**
 * A url with credentials in it: everything between the first colon after `//` and the last `@` of the word. Greedy,
 * because a password that was not percent-encoded may itself hold an `@`; hiding too much of a url is harmless.
 */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/"'`]*):[^\s"'`]*@/gi;

/** Our credentials, whole or cut short by a limit. */
const CREDENTIAL = /\bprd_[A-Za-z0-9_-]+/g;

const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi;

/** A field of a JSON line that is secret by its name, at any depth: its text, or its list of texts. */
const SECRET_FIELD = /"(authorization|(?:set-)?cookie|secret|token|password)":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;

/** Whether any of the above can be in a text: most lines hold none, and one look is cheaper than four. */
const SUSPICIOUS = /:\/\/|prd_|bearer|authorization|cookie|secret|token|password/i;

/** The text without secret fields, passwords of urls, credentials of this product and bearer tokens; JSON lines and plain text. */
export function maskSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text
    .replace(SECRET_FIELD, '"$1":"[redacted]"')
    .replace(URL_PASSWORD, '$1:***@')
    .replace(CREDENTIAL, 'prd_***')
    .replace(BEARER, '$1***');
}
