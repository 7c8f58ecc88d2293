import type { AnalysisJob, JobSubject } from './analysis-job.js';
import { findRepeated, type AskedJob } from './repeated-job.js';

const SUBJECT: JobSubject = { patientId: 'MRN-1', woundId: 'W-1' };
const ASKED: AskedJob = {
  patientId: 'patient',
  imageId: 'second',
  subject: SUBJECT,
  mmPerPixel: 0.2,
  clinicianObservations: { depthCm: 0.4 },
  source: 'rest',
};
const jobOf = (more: Partial<AnalysisJob> = {}): AnalysisJob =>
  ({ ...ASKED, id: 'job-1', imageId: 'first', status: 'completed', ...more }) as AnalysisJob;
const find = (job: Partial<AnalysisJob>, asked: Partial<AskedJob> = {}) =>
  findRepeated([jobOf(job)], { ...ASKED, ...asked });

describe('the same photo of the same wound and moment, sent again', () => {
  it.each<[string, Partial<AskedJob>]>([
    ['another scale', { mmPerPixel: 0.3 }],
    ['no scale', { mmPerPixel: null }],
    ['another depth', { clinicianObservations: { depthCm: 0.5 } }],
    ['no observations', { clinicianObservations: null }],
  ])('is refused with %s, and the first job is named', (_, asked) => {
    const refusal = { code: 'job.repeated', detail: expect.stringContaining('job-1') as string };
    expect(() => find({}, asked)).toThrow(expect.objectContaining(refusal) as Error);
  });

  it.each<[string, Partial<AnalysisJob>, Partial<AskedJob>]>([
    ['the first ended in an error', { status: 'error' }, {}],
    ['it is of another patient', {}, { patientId: 'other' }],
    ['it is of another wound', {}, { subject: { ...SUBJECT, woundId: 'W-2' } }],
    ['its wound is of another numbering', {}, { subject: { ...SUBJECT, woundIdSystem: 'urn:other' } }],
    ['it is said to lie elsewhere in the photo', {}, { subject: { ...SUBJECT, region: { x: 5, y: 5 } } }],
    ['it names no wound now', {}, { subject: { patientId: 'MRN-1' } }],
    [
      'it names no wound, and another side',
      { subject: { patientId: 'MRN-1', laterality: 'left' } },
      { subject: { patientId: 'MRN-1', laterality: 'right' } },
    ],
  ])('is another job where %s', (_, job, asked) => {
    expect(find(job, asked)).toBeNull();
  });

  it.each<[string, Partial<AnalysisJob>, Partial<AskedJob>]>([
    ['of a numbered wound', {}, {}],
    ['whatever its place is called now', {}, { subject: { ...SUBJECT, bodySite: { display: 'Heel' } } }],
    ['while it is still in work', { status: 'processing' }, {}],
    ['of nobody', { subject: null, patientId: null }, { subject: null, patientId: null }],
    ['in the same upload', { imageId: 'second' }, {}],
  ])('is the first job %s', (_, job, asked) => {
    expect(find(job, asked)?.id).toBe('job-1');
  });

  it.each<[string, Partial<AskedJob>]>([
    ['asked for with another scale', { mmPerPixel: 0.3 }],
    ['asked for over FHIR', { source: 'fhir' }],
  ])('is analysed anew in the same upload, %s', (_, asked) => {
    expect(find({ imageId: 'second' }, asked)).toBeNull();
  });
});
