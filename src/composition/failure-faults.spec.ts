import { SuturaError } from '../core/errors/sutura-error.js';
import { passingFaults } from './failure-faults.js';

const TENANT = { organizationId: 'o1', environment: 'live' } as const;

describe('a fault with one of many failures', () => {
  const logged: object[] = [];
  const logger = { error: (event: string, fields?: object) => void logged.push({ event, ...fields }) };
  const asked = (fault: unknown) =>
    passingFaults('message', () => Promise.reject(fault as Error), logger)(
      TENANT,
      { id: 'm1', attempts: null },
      'user:ada',
    );

  it('is thrown where it is a refusal, or the database is not there', async () => {
    await expect(asked(new SuturaError('hl7.erased'))).rejects.toMatchObject({ code: 'hl7.erased' });
    const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    await expect(asked(gone)).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(logged).toEqual([]);
  });

  it('leaves that one, and is logged without its words', async () => {
    expect(await asked(new TypeError('Doe, Jane'))).toBe('service.internal');
    expect(logged).toEqual([{ event: 'failures.fault', kind: 'message', id: 'm1', fault: 'TypeError' }]);
  });
});
