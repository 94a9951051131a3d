import { DomainError } from '@perdure/contracts';
import { shownName } from '@perdure/guard';
import { MAX_JSON_DEPTH, scanJson } from './scan-json.js';

/**
 * A body in which an object has a key twice. Two readers of it may disagree on what was said, so that it is refused
 * wherever it comes in.
 */
export class DuplicateKey extends DomainError {
  /** @param place keys and indices from the body's root down to the key */
  constructor(readonly place: readonly string[]) {
    const path = place.map(shownName).join('.');
    super('invalid_input', `Invalid input. ${path}: is given twice`, { fields: [{ path, message: 'is given twice' }] });
  }
}

/**
 * For JSON that comes in no body, such as a parameter of an url. What is no JSON passes: its reader refuses it.
 *
 * @throws DuplicateKey
 */
export function refuseDuplicateKeys(json: string): void {
  const { duplicate } = scanJson(Buffer.from(json), MAX_JSON_DEPTH);
  if (duplicate !== null) throw new DuplicateKey(duplicate);
}
