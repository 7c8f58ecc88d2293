import { StandingService } from '../../../core/standing/standing.service.js';
import { toTextTable } from '../../../platform/cli/command-report.js';
import { adminGroup } from '../action/admin-group.js';
import { STANDING_EXAMPLES } from './standing.examples.js';
import {
  CONNECTIONS_VIEW,
  STANDING_VIEW,
  toConnectionsView,
  toStandingView,
  type FindingView,
} from './standing.views.js';

const { action, group } = adminGroup({ standing: StandingService });

const readStanding = action({
  name: 'readStanding',
  route: 'GET /standing',
  does: 'How the service stands: what is broken and since when, what waits for a person, and what was seen to work; of everything that the user may see, with what they may not',
  who: 'session',
  answers: STANDING_VIEW,
  shows: STANDING_EXAMPLES.standing,
  run: async ({ standing, operator }) => toStandingView(await standing.read(operator.rights)),
  trail: 'none',
  command: {
    usage: 'standing show',
    says: 'How the service stands: what is broken, what waits for a person, what was seen to work. Exit code 1 where something is broken or cannot be read.',
    prints: (view) => ({
      json: view,
      text: toTextTable(
        ['STATE', 'WHAT', 'WHOSE', 'SINCE', 'WAITING', 'LAST PROOF', 'WHAT TO DO'],
        view.findings.map((one) => [
          one.state,
          one.words,
          whose(one),
          one.since ?? '',
          one.waiting === null ? '' : String(one.waiting),
          one.provenAt ?? '',
          one.nextStep ?? '',
        ]),
      ),
      failed: view.findings.some(isFailure),
    }),
  },
});

const readConnections = action({
  name: 'readConnections',
  route: 'GET /connections',
  does: 'Every way in and out that the user may see: state, last success, first failure since, what waits, what the other side said as a code',
  who: 'session',
  answers: CONNECTIONS_VIEW,
  shows: STANDING_EXAMPLES.connections,
  run: async ({ standing, operator }) => toConnectionsView(await standing.connections(operator.rights)),
  trail: 'none',
  command: {
    usage: 'standing connections',
    says: 'Every way in and out, what needs a person first. Exit code 1 where one is broken or they cannot be read.',
    prints: (view) => ({
      json: view,
      text:
        view.connections === null
          ? 'The connections could not be read in time: look at the database.'
          : toTextTable(
              ['STATE', 'KIND', 'NAME', 'ADDRESS', 'WHOSE', 'HOW', 'SINCE', 'LAST', 'WAITING', 'PARKED', 'SAID'],
              view.connections.map((one) => [
                one.state,
                one.kind,
                one.name ?? '',
                one.address,
                whose(one),
                one.words,
                one.since ?? '',
                one.lastWellAt ?? '',
                String(one.waiting),
                String(one.parked),
                one.said ?? '',
              ]),
            ),
      failed: view.connections === null || view.connections.some(isFailure),
    }),
  },
});

/** Whether everything works. Codes, names of connections and counts alone, so that a look is no row of the audit trail. */
export const STANDING_ACTIONS = group('StandingController', [readStanding, readConnections]);

function whose({ organizationName, environment }: Pick<FindingView, 'organizationName' | 'environment'>): string {
  return [organizationName, environment].filter((part) => part !== null).join(', ');
}

/** Broken, or a part that did not answer: a script must not take silence for health. */
function isFailure({ state, fault }: Pick<FindingView, 'state' | 'fault'>): boolean {
  return state === 'broken' || fault === 'not_read';
}
