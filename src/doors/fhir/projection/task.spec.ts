import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { newJob } from '../../../../test/support/new-job.js';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { isForward, stateOfJob, taskFactsOf, toTask, type TaskFacts, type TaskState } from './task.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const TENANT = { organizationId: '0199d0a1-0000-7000-8000-000000000001', environment: 'test' } as const;
const JOB = newJob(TENANT, {
  imageId: '0199d0a1-4b00-7c22-9a20-5e6f7a8b9c01',
  clinicalContext: 'Foam, every other day.',
  createdAt: new Date('2026-03-15T08:40:05Z'),
});
const LINKS = {
  patient: 'Patient/p1',
  order: 'ServiceRequest/s1',
  image: `Media/${JOB.imageId}`,
  owner: null,
  report: null,
};

const facts = (state: TaskState, wish: Partial<TaskFacts> = {}): TaskFacts => ({
  ...taskFactsOf(JOB, LINKS),
  state,
  ...wish,
});
const because = (code: ErrorCode) => ({ code, detail: 'So it is.' });

describe('the Task of an analysis', () => {
  it('cannot be about nothing', () => {
    expect(() => toTask(facts('waiting', { order: null, image: null }))).toThrow();
  });

  it.each<[TaskState, string, string, Partial<TaskFacts>]>([
    ['waiting', 'received', 'queued', { image: null, clinicalContext: null }],
    ['queued', 'accepted', 'queued', {}],
    ['processing', 'in-progress', 'processing', { startedAt: new Date('2026-03-15T08:40:06Z') }],
    [
      'completed',
      'completed',
      'completed',
      { endedAt: new Date('2026-03-15T08:40:33Z'), report: 'DiagnosticReport/d1', owner: 'Device/m-1' },
    ],
    ['error', 'failed', 'error', { error: because('processing.failed') }],
    ['cancelled', 'cancelled', 'error', { error: because('job.cancelled') }],
    ['rejected', 'rejected', 'error', { error: because('quota.exceeded') }],
  ])('%s is %s, and meets its profile', (state, status, business, wish) => {
    const task = toTask(facts(state, wish));
    expect([task.status, task.businessStatus?.coding?.[0]?.code]).toEqual([status, business]);
    expect(validator.validate(task)).toEqual({ level: null, issues: [] });
  });

  it('is about the photo where nobody ordered it', () => {
    const task = toTask(facts('queued', { order: null }));
    expect(task.focus).toEqual({ reference: LINKS.image });
    expect(task).not.toHaveProperty('basedOn');
  });

  it('names the reason by a code of the jobs’ errors where they have it, else by one of the catalogue', () => {
    const reason = (code: ErrorCode) => toTask(facts('error', { error: because(code) })).statusReason?.coding?.[0];
    expect(reason('model.output_invalid')).toEqual({
      system: 'https://sutura.dev/fhir/CodeSystem/job-error',
      code: 'model-output-invalid',
    });
    expect(reason('fhir.url_refused')).toEqual({
      system: 'https://sutura.dev/fhir/CodeSystem/error',
      code: 'fhir-url-refused',
    });
  });

  it('never goes back, nor on from an end', () => {
    expect(isForward('in-progress', 'queued')).toBe(false);
    expect(isForward('in-progress', 'processing')).toBe(false);
    expect(isForward('cancelled', 'completed')).toBe(false);
    expect(isForward('received', 'queued')).toBe(true);
    expect(isForward('accepted', 'error')).toBe(true);
  });

  it('is cancelled where its job ended for that', () => {
    expect(stateOfJob({ status: 'error', error: { ...because('job.cancelled'), retryable: false } })).toBe('cancelled');
    expect(stateOfJob({ status: 'error', error: { ...because('processing.failed'), retryable: false } })).toBe('error');
  });
});
