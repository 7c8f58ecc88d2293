import type { Bundle, Patient } from '@medplum/fhirtypes';
import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { ReprocessRun } from './reprocess-run.js';

const SUNDAY = '2026-03-15T08:00:00.000Z';
const FRIDAY = '2026-03-20T08:00:00.000Z';

const patient = (versionId: string, lastUpdated = FRIDAY): Patient => ({
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId, lastUpdated },
});

/** As a message changes (PUT) or makes (POST) a patient, who has this version then. */
function note(run: ReprocessRun, method: 'PUT' | 'POST', read: Patient, versionId: string, isNew = false): void {
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [{ resource: read, request: { method, url: 'Patient' } }],
  };
  const applied = { references: ['Patient/p1'], versions: [{ versionId, isNew }] };
  run.note({ bundle } as InboundPlan, applied as unknown as AppliedBundle);
}

describe('what a run of messages has written', () => {
  it('is nothing where the record has another version, was there already, or was put as it was', () => {
    const run = new ReprocessRun();
    expect(run.changedBefore(patient('1'))).toBeUndefined();
    note(run, 'POST', { resourceType: 'Patient' }, '4');
    expect(run.changedBefore(patient('4'))).toBeUndefined();
    note(run, 'PUT', patient('4', SUNDAY), '4');
    expect(run.changedBefore(patient('4'))).toBeUndefined();
    note(run, 'PUT', patient('4', SUNDAY), '5');
    expect(run.changedBefore(patient('6'))).toBeUndefined();
  });

  it('came after the last change by anybody else, however often the run changed the record', () => {
    const run = new ReprocessRun();
    note(run, 'PUT', patient('4', SUNDAY), '5');
    note(run, 'PUT', patient('5', FRIDAY), '6');
    expect(run.changedBefore(patient('6'))).toEqual(new Date(SUNDAY));
    note(run, 'PUT', patient('8', FRIDAY), '9');
    expect(run.changedBefore(patient('9'))).toEqual(new Date(FRIDAY));
  });

  it('came after nothing where the run made the record', () => {
    const run = new ReprocessRun();
    note(run, 'POST', { resourceType: 'Patient' }, '1', true);
    note(run, 'PUT', patient('1', FRIDAY), '2');
    expect(run.changedBefore(patient('2'))).toBeNull();
  });
});
