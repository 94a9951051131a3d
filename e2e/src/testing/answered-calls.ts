import type { SeenExchange } from './authorizing-proxy.js';

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown };
  readonly result?: { readonly isError?: unknown };
}

const BY_NAME = ['tools/call', 'prompts/get', 'resources/read'];

/** What a client called, got or read by name, and every result that was no refusal. */
export function answersByName(seen: readonly SeenExchange[]): Map<string, object[]> {
  const found = new Map<string, object[]>();
  for (const { asked, answered } of seen) {
    const [{ method, params } = {}] = messagesIn(asked);
    if (!BY_NAME.includes(String(method))) continue;
    const name = String(params?.name ?? params?.uri);
    const results = messagesIn(answered).flatMap(({ result }) => (result && result.isError !== true ? [result] : []));
    found.set(name, [...(found.get(name) ?? []), ...results]);
  }
  return found;
}

/** The messages of a JSON body or of an event stream; none in what is neither. */
function messagesIn(text: string): Message[] {
  const lines = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  return (lines.length > 0 ? lines : [text]).flatMap((line) => {
    try {
      return [JSON.parse(line) as Message]; // every field is looked at before it is used
    } catch {
      return [];
    }
  });
}
