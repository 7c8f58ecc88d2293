import { clinicalClockAt } from '../../../test/support/clinical-clocks.js';
import type { AnalysisJob } from '../analysis/analysis-job.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { FollowUpSummariser } from './follow-up-summariser.js';

const JOB = {
  id: 'job',
  reportId: 'report',
  organizationId: 'organization',
  environment: 'test',
  patientId: null,
  imageId: 'image',
  subject: null,
  capturedAt: new Date('2026-01-05T08:00:00Z'),
} as AnalysisJob;
const RESULT = {
  wounds: [],
  artifacts: { mask: { width: 640, height: 480 } },
  scores: null,
  quality: { warnings: [] },
  scale: null,
  trace: { models: [] },
} as unknown as WoundResult;

function setUp(knownSeries: () => Promise<null> = () => Promise.resolve(null)): FollowUpSummariser {
  return new FollowUpSummariser({
    unitOfWork: { inSystem: () => Promise.reject(new Error('not asked for')) } as Pick<UnitOfWork, 'inSystem'>,
    reports: { knownSeries },
    birthDates: { of: () => Promise.resolve(null) } as never,
    clinicalClock: clinicalClockAt(() => JOB.capturedAt),
  });
}

describe('what a result says before its report is made', () => {
  it.each([undefined, 'slow:1s'])('is that it waits for nobody where %s was asked for', async (sandbox) => {
    expect((await setUp().summarise({ ...JOB, sandbox }, RESULT)).attention).toEqual([]);
  });

  it('is that it waits for a person where its sender asked for that, as its report will', async () => {
    expect((await setUp().summarise({ ...JOB, sandbox: 'needs_review' }, RESULT)).attention).toEqual(['sandbox']);
  });

  it('is so where a newer release wrote the series', async () => {
    const summariser = setUp(() => Promise.reject(new SuturaError('data.newer_release')));
    const subject = { patientId: 'MRN-1', woundId: 'W1' };
    const job = { ...JOB, patientId: 'patient', subject };
    expect(await summariser.summarise(job, RESULT)).toEqual({ followUp: null, attention: [] });
    const asked = await summariser.summarise({ ...job, sandbox: 'needs_review' }, RESULT);
    expect(asked).toEqual({ followUp: null, attention: ['sandbox'] });
  });
});
