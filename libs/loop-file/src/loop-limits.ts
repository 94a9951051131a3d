import { DEFAULT_LOOP_LIMITS, LOOP_BOUNDS, type LoopLimitsObject } from '@perdure/contracts';
import { invalidInput } from './refusals.js';

/** The `loop` object of `perdure.json`, as far as it holds limits; other keys are not looked at. */
export interface LoopSettings {
  readonly cap?: unknown;
  readonly no_progress_limit?: unknown;
}

/**
 * Cap and no-progress limit of a checkout; what it does not set is 40 and 3 (L1).
 *
 * @throws DomainError `invalid_input` for anything but a whole number in bounds: no value means "unlimited"
 */
export const loopLimits = (settings: LoopSettings = {}): LoopLimitsObject => ({
  cap: limitOf('cap', settings.cap),
  no_progress_limit: limitOf('no_progress_limit', settings.no_progress_limit),
});

function limitOf(name: keyof LoopLimitsObject, value: unknown): number {
  return value === undefined ? DEFAULT_LOOP_LIMITS[name] : wholeNumber(name, value, LOOP_BOUNDS[name]);
}

/** @throws DomainError `invalid_input` unless the value is a whole number from 1 to `max` */
export function wholeNumber(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidInput(name, `must be a whole number from 1 to ${max}`);
}
