import type { DiagnosticReport, Task } from '@medplum/fhirtypes';
import { meetsFilters, readFilters } from './subscription-filters.js';
import { SUBSCRIPTION_TOPICS, type SubscriptionTopic } from './subscription-topics.js';

const BASE = 'https://sutura.example/fhir';
const REPORT: DiagnosticReport = {
  resourceType: 'DiagnosticReport',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }, { code: 'own' }] },
  subject: { reference: 'Patient/p1' },
};
const TASK: Task = { resourceType: 'Task', status: 'failed', intent: 'order', for: { reference: 'Patient/p1' } };

function meets(resource: DiagnosticReport | Task, conditions: string): boolean {
  const topic = SUBSCRIPTION_TOPICS.find(({ resourceType }) => resourceType === resource.resourceType);
  const read = readFilters(`${resource.resourceType}?${conditions}`, topic as SubscriptionTopic, BASE);
  if (read.filters === undefined) throw new Error(read.fault);
  return meetsFilters(resource, read.filters);
}

describe('filters of a subscription', () => {
  it.each([
    ['status=preliminary'],
    ['patient=p2'],
    ['subject=Patient/p11'],
    ['code=39135-8'],
    ['code=http://snomed.info/sct|39135-9'],
    ['code=|39135-9'],
    ['status=final&patient=p2'],
  ])('keep a report from those who asked for %s', (conditions) => {
    expect(meets(REPORT, conditions)).toBe(false);
  });

  it.each([
    [''],
    ['status=preliminary,final'],
    ['status=http://hl7.org/fhir/diagnostic-report-status|final'],
    ['patient=p2,p1'],
    [`subject=${BASE}/Patient/p1`],
    ['code=39135-9'],
    ['code=http://loinc.org|39135-9'],
    ['code=|own'],
    ['status=final&patient=p1&code=own'],
  ])('let a report through to those who asked for %s', (conditions) => {
    expect(meets(REPORT, conditions)).toBe(true);
  });

  it('by a patient whose record was joined into the report’s, let it through', () => {
    const filters = [{ by: 'patient' as const, any: ['p0'] }];
    expect(meetsFilters(REPORT, filters)).toBe(false);
    expect(meetsFilters(REPORT, filters, ['p9'])).toBe(false);
    expect(meetsFilters(REPORT, filters, ['p0'])).toBe(true);
  });

  it('know the patient of a Task, and that it may have no code', () => {
    expect(meets(TASK, 'patient=p1&status=failed')).toBe(true);
    expect(meets(TASK, 'code=own')).toBe(false);
    const { for: _, ...withoutPatient } = TASK;
    expect(meets(withoutPatient, 'patient=p1')).toBe(false);
  });

  it.each([
    ['a patient of another server', 'patient=https://other.example/fhir/Patient/p1'],
    ['another type of subject', 'subject=Group/g1'],
    ['an empty value', 'status='],
    ['an empty value among others', 'patient=p1,'],
    ['eleven conditions', Array.from({ length: 11 }, () => 'status=final').join('&')],
    ['a hundred and one values', `patient=${Array.from({ length: 101 }, () => 'p').join(',')}`],
  ])('refuse %s', (_, conditions) => {
    expect(() => meets(REPORT, conditions)).toThrow();
  });
});
