import { DomainError } from '@perdure/contracts';
import { shownName } from '@perdure/guard';
import { MAX_JSON_DEPTH, scanJson, type KeyProblem } from './scan-json.js';

const MESSAGES = {
  twice: 'is given twice',
  reserved: 'is a reserved name and no argument',
} as const;

/** JSON with a key that two readers may read differently: it is refused wherever it comes in. */
export class RefusedKey extends DomainError {
  constructor(readonly key: KeyProblem) {
    const path = key.place.map(shownName).join('.');
    const message = MESSAGES[key.problem];
    super('invalid_input', `Invalid input. ${path}: ${message}`, { fields: [{ path, message }] });
  }
}

/**
 * For JSON that comes in no body, such as a parameter of an url. What is no JSON passes: its reader refuses it.
 *
 * @throws RefusedKey
 */
export function refuseBadKeys(json: string): void {
  const { badKey } = scanJson(Buffer.from(json), MAX_JSON_DEPTH);
  if (badKey !== null) throw new RefusedKey(badKey);
}
