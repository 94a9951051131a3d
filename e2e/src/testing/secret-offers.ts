import type { Door, Outcome } from './doors.js';
import type { OfferedSecret } from './secret-cases.js';
import type { SecretField } from './secret-fields.js';

export interface Offer {
  readonly door: Door;
  readonly field: SecretField;
  readonly offered: OfferedSecret;
}

export interface OfferOutcomes {
  readonly faults: readonly string[];
  /** Every answer, whole, one after the other. */
  readonly answers: string;
}

/** Side by side, so that processes and test work at the same time. */
const LANES = 8;

/** Puts each secret into its field through its door; a refusal that is not the right one is a fault. */
export async function makeOffers(offers: readonly Offer[]): Promise<OfferOutcomes> {
  const faults: string[] = [];
  const answers: string[] = [];
  const runLane = async (lane: number) => {
    for (let index = lane; index < offers.length; index += LANES) {
      const offer = offers[index];
      if (offer === undefined) continue;
      const { door, field, offered } = offer;
      const outcome = await door.call(field.contract, field.withText(offered.text));
      answers.push(withoutKind(outcome));
      const fault = faultOf(outcome, offer);
      if (fault !== null) faults.push(`${door.name} ${field.contract.name} ${field.name}, ${offered.id}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  return { faults, answers: answers.join('\n') };
}

/** A kind is a word of ours; one is `github_pat`, as such a token begins. */
const withoutKind = ({ text, error }: Outcome): string => text.replaceAll(String(error?.details['secret_kind']), '');

/** README of the cases: `secret_detected` with kind and place; `invalid_input` where the field is shorter than the text. */
function faultOf({ error, malformed }: Outcome, { field, offered }: Offer): string | null {
  if (malformed !== null) return malformed;
  if (error === undefined) return 'was accepted';
  if (!field.fits(offered.text)) {
    return ['invalid_input', 'secret_detected', 'state_too_large'].includes(error.code) ? null : error.code;
  }
  if (error.code !== 'secret_detected' || error.kind !== 'unprocessable') return error.code;
  const { secret_kind: kind, field: named, offset, length } = error.details;
  if (typeof kind !== 'string' || kind === '') return 'its kind is not told';
  if (typeof named !== 'string' || !field.name.startsWith(named)) return `is told to be in ${String(named)}`;
  if (!Number.isInteger(offset) || !Number.isInteger(length)) return 'its place is not told';
  return null;
}
