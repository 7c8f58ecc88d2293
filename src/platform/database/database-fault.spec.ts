import { SuturaError } from '../../core/errors/sutura-error.js';
import { isDatabaseFault, translateDatabaseFault } from './database-fault.js';

const withCode = (code: string): Error => Object.assign(new Error('secret value in the text'), { code });

describe('translateDatabaseFault', () => {
  it.each(['23505', '42P01', '22P02', '42501', 'ENOENT', 'ENOSPC'])('leaves %s as it is: that is no fault of the database', (code) => {
    const error = withCode(code);
    expect(translateDatabaseFault(error)).toBe(error);
  });

  it.each([null, undefined, 'text', 7, new Error('anything')])('leaves %s as it is', (error) => {
    expect(translateDatabaseFault(error)).toBe(error);
  });

  it('leaves a refusal as it is, even one that an unavailable part caused', () => {
    const refusal = new SuturaError('image.not_found');
    expect(translateDatabaseFault(refusal)).toBe(refusal);
  });

  it.each([
    ...['57P01', '57P03', '08006', '08001', '08003', '53100', '53200', '53300', '55P03', '57014', '40P01'],
    ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND'],
  ])('makes service.unavailable of %s, also inside TypeORM’s error', (code) => {
    for (const error of [withCode(code), Object.assign(new Error('query failed'), { driverError: withCode(code) })]) {
      expect(translateDatabaseFault(error)).toMatchObject({ code: 'service.unavailable', facts: { retryAfterS: 2 } });
    }
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'Client has encountered a connection error and is not queryable'])(
    'knows the driver’s “%s”, which has no code',
    (message) => expect(isDatabaseFault(new Error(message))).toBe(true),
  );

  it('looks into the failures of a host with several addresses', () => {
    expect(isDatabaseFault(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))).toBe(true);
  });
});
