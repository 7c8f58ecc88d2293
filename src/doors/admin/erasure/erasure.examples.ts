import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import type { ErasureView, HoldView, RetentionView } from './erasure.views.js';

const { organizationId: ORGANIZATION_ID } = ADMIN_EXAMPLE_IDS;

const PATIENT_ID = '01997f2e-6666-7000-8000-000000000006';

const erasure: ErasureView = {
  erasureId: '01997f2e-7777-7000-8000-000000000007',
  organizationId: ORGANIZATION_ID,
  environment: 'live',
  patientId: PATIENT_ID,
  state: 'done',
  counts: [{ what: 'photos', rows: 3, bytes: 4_713_377 }],
  leftMessages: [],
  askedBy: 'operator',
  askedAt: '2026-03-15T08:40:05.000Z',
  completedAt: '2026-03-15T08:40:06.000Z',
  waitsFor: null,
  seal: {
    auditId: '4711',
    number: 12,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

const hold: HoldView = {
  organizationId: ORGANIZATION_ID,
  environment: 'live',
  patientId: PATIENT_ID,
  reason: 'Court file 12-345',
  placedBy: 'operator',
  placedAt: '2026-03-15T08:40:05.000Z',
};

const retention: RetentionView = {
  organizationId: ORGANIZATION_ID,
  photoDays: 365,
  messageDays: 90,
  versionDays: 365,
  recordDays: null,
  unnamedDays: 365,
  auditDays: 2190,
  idempotencyHours: null,
  runs: [
    {
      id: '01997f2e-8888-7000-8000-000000000008',
      organizationId: ORGANIZATION_ID,
      environment: 'live',
      what: 'photos',
      before: '2025-03-15T08:40:05.000Z',
      rows: 3,
      bytes: 4_713_377,
      kept: 0,
      beganAt: '2026-03-15T08:40:05.000Z',
      endedAt: '2026-03-15T08:40:06.000Z',
      isOpen: false,
    },
  ],
};

/** Plainly invented answers, for the OpenAPI document. */
export const ERASURE_EXAMPLES = { erasure, hold, retention } as const;
