import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import type { ConnectionsView, StandingView } from './standing.views.js';

const { organizationId } = ADMIN_EXAMPLE_IDS;
const DESTINATION_ID = '01997f2e-6666-7000-8000-000000000006';

const standing: StandingView = {
  at: '2026-03-15T08:45:00.000Z',
  state: 'broken',
  findings: [
    {
      part: 'receivers',
      state: 'broken',
      fault: 'receiver_unreachable',
      words: 'Destination Ward EHR cannot be reached (unreachable ECONNREFUSED)',
      since: '2026-03-15T08:14:00.000Z',
      organizationId,
      organizationName: 'Ward 7',
      environment: 'live',
      subjectKind: 'hl7',
      subjectId: DESTINATION_ID,
      waiting: 18,
      oldestWaitingAt: '2026-03-15T08:14:00.000Z',
      provenAt: '2026-03-15T08:13:00.000Z',
      nextStep:
        'Look whether it runs and whether its address, firewall and certificate are right, then test the connection.',
    },
  ],
  unseen: ['disk', 'backup', 'parts', 'audit'],
};

const connections: ConnectionsView = {
  at: '2026-03-15T08:45:00.000Z',
  connections: [
    {
      id: DESTINATION_ID,
      kind: 'hl7',
      name: 'Ward EHR',
      address: 'ehr.example.org:6661',
      organizationId,
      organizationName: 'Ward 7',
      environment: 'live',
      state: 'broken',
      fault: 'receiver_unreachable',
      words: 'cannot be reached (unreachable ECONNREFUSED)',
      since: '2026-03-15T08:14:00.000Z',
      lastWellAt: '2026-03-15T08:13:00.000Z',
      waiting: 18,
      oldestWaitingAt: '2026-03-15T08:14:00.000Z',
      parked: 0,
      said: 'unreachable ECONNREFUSED',
      certificateDays: null,
      nextStep:
        'Look whether it runs and whether its address, firewall and certificate are right, then test the connection.',
    },
  ],
  isAllSeen: false,
};

/** Plainly invented answers, for the OpenAPI document. */
export const STANDING_EXAMPLES = { standing, connections } as const;
