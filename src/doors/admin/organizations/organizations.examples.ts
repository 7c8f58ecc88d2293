import type { ClientView } from './clients.views.js';
import type { IssuedKeyView, KeyView, OrganizationView, UsageView } from './tenancy.views.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';

const { organizationId: ORGANIZATION_ID, keyId: KEY_ID, clientId: CLIENT_ID } = ADMIN_EXAMPLE_IDS;

const organization: OrganizationView = {
  id: ORGANIZATION_ID,
  organizationId: ORGANIZATION_ID,
  name: 'Clinic North',
  plan: 'pro',
  dailyLimit: 2000,
  dailyLimitOverride: null,
  resultPolicy: 'review',
  autoAnalyze: false,
  unservedTypes: 'refuse',
  imageHosts: ['images.example.org'],
  deliveryNetworks: [],
  reviewFrameOrigins: ['https://ehr.example.org'],
  browserOrigins: ['https://ehr.example.org'],
  timeZone: 'Europe/Berlin',
  unmatchedAfterMinutes: 1440,
  createdAt: '2026-01-05T08:30:00.000Z',
  etag: '"Yk0sQ7e2v0iJr0vE1m5t0yVw2Kc"',
};

const key: KeyView = {
  id: KEY_ID,
  keyId: KEY_ID,
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  prefix: 'sut_test_4fG',
  lastFour: 'x9Qa',
  scopes: ['images:write', 'analysis:write', 'analysis:read'],
  state: 'active',
  createdAt: '2026-01-05T08:31:00.000Z',
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  allowedNetworks: [],
  namesPersons: false,
};

// Not a well-formed key, so that secret scanners stay quiet and nobody tries it.
const issuedKey: IssuedKeyView = { ...key, key: 'sut_test_…' };

const client: ClientView = {
  id: CLIENT_ID,
  clientId: CLIENT_ID,
  organizationId: ORGANIZATION_ID,
  environment: 'test',
  name: 'EHR',
  scopes: ['system/DiagnosticReport.rs'],
  keyIds: [],
  jwksUrl: 'https://ehr.example.org/jwks.json',
  allowedNetworks: [],
  namesPersons: false,
  state: 'active',
  createdAt: '2026-01-05T08:32:00.000Z',
  revokedAt: null,
};

const usage: UsageView = { organizationId: ORGANIZATION_ID, limit: 2000, used: 17, remaining: 1983, resetsInS: 33_000 };

/** Plainly invented answers, for the OpenAPI document. */
export const ORGANIZATION_EXAMPLES = { organization, key, issuedKey, client, usage } as const;
