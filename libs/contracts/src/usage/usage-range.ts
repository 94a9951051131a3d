import { z } from 'zod';
import { date, instantInput } from '../fields.js';

const isDay = (value: string): boolean => date().safeParse(value).success;
const isInstant = (value: string): boolean => instantInput().safeParse(value).success;

/** A day of the zone that is asked for, or an instant. */
const dayOrInstant = () =>
  z
    .string()
    .max(40)
    .refine((value) => isDay(value) || isInstant(value), 'must be a date as YYYY-MM-DD or an RFC 3339 instant')
    // A pattern for readers of the schema; what it lets through is looked at above.
    .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}' });

/** Which usage: `to` as a date is its last day, as an instant where it ends. Instants hold to the quarter of an hour. */
export const usageRange = {
  from: dayOrInstant().describe('First day, or an instant.'),
  to: dayOrInstant().describe('Last day, included; or an instant, excluded.'),
};

/** A name of the IANA time zone database that this installation knows. */
export const timeZone = () =>
  z
    .string()
    .max(100)
    .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, { message: 'must be an IANA time zone such as Europe/Berlin', abort: true })
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
