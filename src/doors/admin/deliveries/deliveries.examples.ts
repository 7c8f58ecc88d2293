import type { DeliveryView, EndpointView } from './deliveries.views.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';

const { organizationId: ORGANIZATION_ID } = ADMIN_EXAMPLE_IDS;

const endpoint: EndpointView = {
  id: '01997f2e-6666-7000-8000-000000000006',
  name: 'https://ward.example.org/sutura',
  organizationId: ORGANIZATION_ID,
  organizationName: 'Ward 7',
  environment: 'test',
  exit: 'webhook',
  address: 'https://ward.example.org/sutura',
  state: 'active',
};

const delivery: DeliveryView = {
  id: '01997f2e-7777-7000-8000-000000000007',
  exit: 'webhook',
  endpointId: endpoint.id,
  endpointName: endpoint.name,
  organizationId: ORGANIZATION_ID,
  organizationName: 'Ward 7',
  environment: 'test',
  type: 'report.ready',
  state: 'waiting',
  attempts: 1,
  fault: '500',
  createdAt: '2026-03-15T08:40:05.000Z',
  nextAt: '2026-03-15T08:40:11.000Z',
  deliveredAt: null,
};

/** Plainly invented answers, for the OpenAPI document. */
export const DELIVERY_EXAMPLES = { endpoint, delivery } as const;
