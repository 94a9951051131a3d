import { DomainError } from '@perdure/contracts';

/** Zones are checked by what this process knows; the database may know fewer. @throws DomainError `invalid_input` */
export async function inKnownZone<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    // 22023: invalid_parameter_value, of AT TIME ZONE the only one here.
    if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '22023') throw error;
    const path = 'timezone';
    throw new DomainError('invalid_input', `${path}: is not known to the database`, {
      fields: [{ path, message: 'is not known to the database' }],
    });
  }
}
