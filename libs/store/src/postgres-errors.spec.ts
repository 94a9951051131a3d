import { DomainError } from '@perdure/contracts';
import { translatePostgresError } from './postgres-errors.js';

describe('database failures', () => {
  it.each(['08006', '57P01', '57014', '53300', '53100', '25006', '40001', '40P01', '55P03', 'ECONNREFUSED'])(
    '%s is a typed refusal that says nothing of the cause',
    (code) => {
      const cause = Object.assign(new Error('secret text of a row'), { code });
      const refusal = translatePostgresError(cause);
      expect(refusal).toBeInstanceOf(DomainError);
      expect(refusal).toMatchObject({ code: 'unavailable' });
      expect(JSON.stringify(refusal)).not.toContain('secret text');
    },
  );

  it('a connection that ended without a code is one too, also inside TypeORM’s wrapper', () => {
    const driverError = new Error('Connection terminated unexpectedly');
    expect(translatePostgresError(driverError)).toMatchObject({ code: 'unavailable' });
    expect(translatePostgresError(Object.assign(new Error('x'), { driverError }))).toMatchObject({
      code: 'unavailable',
    });
  });

  it('anything else stays what it is, for it is a fault of ours', () => {
    const syntax = Object.assign(new Error('x'), { code: '42601' });
    expect(translatePostgresError(syntax)).toBe(syntax);
    const refusal = new DomainError('not_found', 'x');
    expect(translatePostgresError(refusal)).toBe(refusal);
  });
});
