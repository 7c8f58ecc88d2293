import { SuturaError } from '../../../core/errors/sutura-error.js';
import { PatientArrival } from './patient-arrival.handler.js';

const EVENT = {
  id: 'e-1',
  kind: 'patient.known',
  subjectId: 'p-1',
  tenant: { organizationId: 'o-1', environment: 'live' },
} as const;

describe('what waited for a patient who has come', () => {
  const warned: string[] = [];
  const arrivalOf = (fault: Error) =>
    new PatientArrival(
      { inTenant: (_tenant: unknown, work: (transaction: object) => unknown) => Promise.resolve(work({})) } as never,
      { ofPatient: () => [{ type: 'ServiceRequest', id: 's-1' }] } as never,
      { sendAgain: () => Promise.reject(fault) } as never,
      { warn: (event: string) => void warned.push(event) } as never,
    );
  beforeEach(() => void warned.splice(0));

  it('keeps the event for a later try where it cannot be read, however that is named', async () => {
    for (const fault of [
      new SuturaError('storage.altered', { kind: 'internal' }),
      new SuturaError('service.unavailable'),
      new Error('connection lost'),
    ])
      await expect(arrivalOf(fault).handle(EVENT as never)).rejects.toBe(fault);
    expect(warned).toEqual([]);
  });

  it('is left to somebody who looks where it is refused for what it says', async () => {
    await arrivalOf(new SuturaError('request.invalid')).handle(EVENT as never);
    expect(warned).toEqual(['fhir.patient_not_joined']);
  });
});
