import type { DoorAdvice } from './trace.js';
import { photoEvents } from './photo-events.js';
import type { PhotoRecord, TracedImage, TracedJob, TracedOrder, TracedVersion } from './trace.js';

const TENANT = { organizationId: 'o', environment: 'test' } as const;
const MADE = new Date('2026-03-15T08:00:00Z');
const later = (seconds: number): Date => new Date(MADE.getTime() + seconds * 1000);

const IMAGE: TracedImage = {
  ...TENANT,
  id: 'i',
  status: 'stored',
  origin: 'upload',
  sizeBytes: 10,
  sha256: 'aa',
  verdict: { readable: true, format: 'jpeg', widthPx: 64, heightPx: 64 },
  uploadExpiresAt: later(900),
  createdAt: MADE,
  storedAt: later(1),
  deletedAt: null,
  fetchTries: null,
  patientId: null,
};
const WAITING: Partial<TracedImage> = {
  status: 'awaiting_upload',
  sizeBytes: null,
  sha256: null,
  verdict: null,
  storedAt: null,
};
const JOB: TracedJob = {
  id: 'j',
  reportId: 'r',
  source: 'rest',
  sandbox: null,
  status: 'completed',
  attempts: 1,
  error: null,
  models: [],
  createdAt: later(2),
  startedAt: later(3),
  completedAt: later(4),
  notBefore: null,
};
const QUEUED: TracedJob = { ...JOB, status: 'queued', attempts: 0, startedAt: null, completedAt: null };
const FAILED: TracedJob = {
  ...JOB,
  status: 'error',
  error: { code: 'processing.failed', detail: 'It failed.', retryable: true },
};
const ORDER: TracedOrder = {
  ...TENANT,
  id: 'q',
  imageId: 'i',
  state: 'waiting',
  error: null,
  retryAt: later(3600),
  createdAt: MADE,
};
const VERSION: TracedVersion = {
  reportId: 'r',
  version: 1,
  status: 'final',
  reason: 'created',
  issuedAt: later(5),
  isPresent: true,
  replacedBy: null,
};

const ADVICE: DoorAdvice = {
  orderAnalysis: 'order it',
  showQuota: 'see the quota',
  checkWorkers: 'See to the workers',
  retryJob: (id) => `retry ${id}`,
  reviewReport: (id) => `review ${id}`,
};

interface Given {
  readonly image?: Partial<TracedImage>;
  readonly orders?: readonly TracedOrder[];
  readonly jobs?: readonly TracedJob[];
  readonly versions?: readonly TracedVersion[];
  readonly goneFor?: PhotoRecord['goneFor'];
}

function told({ image = {}, orders = [], jobs = [], versions = [], goneFor = null }: Given, afterS: number) {
  const record: PhotoRecord = { image: { ...IMAGE, ...image }, madeBy: null, goneFor, orders, jobs, versions };
  const events = photoEvents(record, later(afterS), ADVICE);
  return {
    steps: events.map(({ what }) => what),
    facts: events.at(-1)?.facts,
    next: events.flatMap(({ next }) => next ?? []),
  };
}

describe('a photo that stands still, and what a person does', () => {
  it.each<[string, Given, number, string | null]>([
    ['an address that is still good', { image: WAITING }, 60, 'still to be PUT'],
    ['an address that has ended', { image: WAITING }, 1000, 'Ask for a new upload URL'],
    ['a request that failed', { image: { ...WAITING, origin: 'message' } }, 60, 'Have it sent again'],
    [
      'an address that is tried again',
      { image: { ...WAITING, origin: 'address', fetchTries: 2 } },
      60,
      'after 2 tries',
    ],
    ['an address that was given up', { image: { ...WAITING, origin: 'address' } }, 60, 'was given up'],
    [
      'no photo that can be read',
      { image: { verdict: { readable: false, format: 'png', reason: 'too_small' } } },
      60,
      'smaller than 64 pixels',
    ],
    ['nobody who ordered', {}, 60, 'Nobody has asked'],
    ['a quota that is used up', { orders: [ORDER] }, 60, 'quota of the day'],
    ['an order on hold', { orders: [{ ...ORDER, state: 'held' }] }, 60, 'on hold'],
    [
      'a rejected order',
      {
        orders: [
          {
            ...ORDER,
            state: 'rejected',
            error: { code: 'image.unavailable', detail: 'Send it anew.', retryable: false },
          },
        ],
      },
      60,
      'Send it anew.',
    ],
    ['a job that nobody takes', { jobs: [QUEUED] }, 120, 'No worker has taken the job'],
    [
      'a job that timed out and waits',
      { jobs: [{ ...QUEUED, startedAt: later(3), notBefore: later(600) }] },
      120,
      'tried again by itself at',
    ],
    [
      'a job whose wait is over',
      { jobs: [{ ...QUEUED, startedAt: later(3), notBefore: later(60) }] },
      120,
      'No worker has taken the job',
    ],
    ['an analysis that takes long', { jobs: [{ ...JOB, status: 'processing', completedAt: null }] }, 120, 'takes long'],
    ['a failed job that may be repeated', { jobs: [FAILED] }, 60, 'retry '],
    ['a failed job whose repeat is queued', { jobs: [FAILED, { ...QUEUED, createdAt: later(6) }] }, 10, null],
    ['a failed job whose repeat is done', { jobs: [FAILED, { ...JOB, createdAt: later(6) }] }, 10, null],
    ['a report that was not made', { jobs: [JOB] }, 120, 'was not made'],
    [
      'a report that nobody has reviewed',
      { jobs: [JOB], versions: [{ ...VERSION, status: 'preliminary' }] },
      120,
      'until a person reviews it',
    ],
    ['a job that was made just now', { jobs: [QUEUED] }, 10, null],
    ['a job that ended just now', { jobs: [JOB] }, 10, null],
    [
      'an earlier, preliminary version',
      {
        jobs: [JOB],
        versions: [
          { ...VERSION, status: 'preliminary', isPresent: false },
          { ...VERSION, version: 2 },
        ],
      },
      120,
      null,
    ],
    ['a cancelled order', { orders: [{ ...ORDER, state: 'cancelled' }] }, 60, null],
  ])('%s', (_, wish, afterS, advice) => {
    expect(told(wish, afterS).next).toEqual(advice === null ? [] : [expect.stringContaining(advice)]);
  });
});

it('a failed job whose repeat failed too may be done again as the repeat may', () => {
  const repeat: TracedJob = { ...FAILED, id: 'repeat', createdAt: later(6) };
  expect(told({ jobs: [FAILED, repeat] }, 60).next).toEqual([
    expect.stringContaining('retry j'),
    expect.stringContaining('retry repeat'),
  ]);
});

it('a photo that came to its report is told in its steps, an order that came with it only as its job', () => {
  const order = { ...ORDER, id: 'j', state: 'started' } as const;
  const wish = { jobs: [JOB], versions: [VERSION], image: { status: 'deleted', deletedAt: later(9) } } as const;
  const steps = [
    'image.address_requested',
    'image.stored',
    'image.deleted',
    'job.created',
    'job.started',
    'job.completed',
    'report.version',
  ];
  expect(told({ ...wish, orders: [order] }, 100).steps).toEqual(steps);
  expect(told({ ...wish, orders: [{ ...order, createdAt: later(-60) }] }, 100).steps.sort()).toEqual(
    ['order.received', ...steps].sort(),
  );
});

describe('a photo that is gone', () => {
  const deleted: Partial<TracedImage> = { status: 'deleted', deletedAt: later(90) };

  it('says nothing of why where nobody knows', () => {
    expect(told({ image: deleted }, 100).facts).toEqual({});
  });

  it.each<[NonNullable<PhotoRecord['goneFor']>]>([
    [{ why: 'asked', by: 'user:anna', door: 'admin' }],
    [{ why: 'retention' }],
    [{ why: 'erasure' }],
    [{ why: 'unused' }],
  ])('says why it went: %j', (goneFor) => {
    const { steps, facts, next } = told({ image: deleted, goneFor }, 100);
    expect([steps.at(-1), facts, next]).toEqual(['image.deleted', goneFor, []]);
  });
});
