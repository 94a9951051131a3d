import { shownName } from '@perdure/guard';
import { invalidFields } from './invalid-fields.js';

/**
 * The keys of a query string with all their values, in order. The parser of Express would drop what comes after 1,000
 * keys and read bytes that are no UTF-8 as U+FFFD; here nothing is changed silently.
 *
 * @param url path and query of the request, as it came
 * @throws DomainError `invalid_input` naming the key whose percent-encoding is none of UTF-8
 */
export function readQueryString(url: string): Map<string, string[]> {
  const start = url.indexOf('?');
  const values = new Map<string, string[]>();
  if (start === -1) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [key, value] = readPair(pair);
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function readPair(pair: string): [key: string, value: string] {
  const equals = pair.indexOf('=');
  const [rawKey, rawValue] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  const key = decoded(rawKey);
  const value = decoded(rawValue);
  if (key !== null && value !== null) return [key, value];
  throw invalidFields([{ path: shownName(key ?? rawKey), message: 'is not percent-encoded UTF-8' }]);
}

/** As HTML forms write it: `+` is a space. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
