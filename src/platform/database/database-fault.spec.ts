import { SuturaError } from '../../core/errors/sutura-error.js';
import { isDatabaseFault, translateDatabaseFault } from './database-fault.js';

const withCode = (code: string): Error => Object.assign(new Error('secret value in the text'), { code });

describe('translateDatabaseFault', () => {
  it.each(['42P01', '42601', '42501', '23502', '22012', 'ENOENT', 'ENOSPC'])(
    'leaves %s as it is: that is a fault of our own',
    (code) => {
      const error = withCode(code);
      expect(translateDatabaseFault(error, 'caller')).toBe(error);
    },
  );

  it.each([null, undefined, 'text', 7, new Error('anything')])('leaves %s as it is', (error) => {
    expect(translateDatabaseFault(error)).toBe(error);
  });

  it.each([
    ['23505', 'data.conflict'],
    ['23503', 'data.conflict'],
    ...['22001', '22003', '22007', '22008', '22021', '22P02', '22P05', '23514', '54000'].map((state) => [
      state,
      'data.unusable',
    ]),
  ] as [string, string][])(
    'makes of %s what a caller can mend, and leaves it as it is where no caller caused it',
    (state, code) => {
      for (const error of [
        withCode(state),
        Object.assign(new Error('query failed'), { driverError: withCode(state) }),
      ]) {
        expect(translateDatabaseFault(error, 'caller')).toMatchObject({ code, cause: error });
        expect(translateDatabaseFault(error)).toBe(error);
      }
    },
  );

  it('leaves a refusal as it is, even one that an unavailable part caused', () => {
    const refusal = new SuturaError('image.not_found');
    expect(translateDatabaseFault(refusal)).toBe(refusal);
  });

  it.each([
    '57P01',
    '57P03',
    '08006',
    '08001',
    '08003',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '40P01',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ENOTFOUND',
  ])('makes service.unavailable of %s, also inside TypeORM’s error', (code) => {
    for (const error of [withCode(code), Object.assign(new Error('query failed'), { driverError: withCode(code) })]) {
      expect(translateDatabaseFault(error)).toMatchObject({ code: 'service.unavailable', facts: { retryAfterS: 2 } });
    }
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('knows the driver’s “%s”, which has no code', (message) => expect(isDatabaseFault(new Error(message))).toBe(true));

  it('looks into the failures of a host with several addresses', () => {
    expect(isDatabaseFault(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))).toBe(true);
  });
});
