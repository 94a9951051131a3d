import { DomainError } from '@perdure/contracts';
import type { Encrypter } from 'age-encryption';

/** Makes encrypters to one public key. */
export type AgeRecipient = () => Encrypter;

/**
 * Reads an age public key, its checksum included: X25519 (`age1…`) and the post-quantum hybrid (`age1pq1…`).
 *
 * @throws DomainError `invalid_input`
 */
export async function readAgeRecipient(publicKey: string): Promise<AgeRecipient> {
  const { Encrypter } = await import('age-encryption'); // an ES module, loaded by the first export
  const encrypterTo = () => {
    const encrypter = new Encrypter();
    encrypter.addRecipient(publicKey);
    return encrypter;
  };
  try {
    encrypterTo();
  } catch {
    const fields = [{ path: 'encrypt_to', message: 'is no age public key: a character is wrong or missing' }];
    throw new DomainError('invalid_input', 'Invalid input. encrypt_to: is no age public key.', { fields });
  }
  return encrypterTo;
}
