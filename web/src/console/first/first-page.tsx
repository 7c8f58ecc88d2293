import { Link } from 'react-router';
import type {
  Delivery,
  Destination,
  ExitEndpoint,
  HeldItem,
  Items,
  Listener,
  Message,
  Usage,
} from '../shared/answers.js';
import { pathWith, useRead, useReads } from '../shared/reads.js';
import { moment } from '../shared/words.js';
import { mayAct, useSession } from '../session.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { timeOf } from '../messages/message-table.js';

/** Read again while the page is seen. */
const EVERY_MS = 15_000;
/** More than this is said as "100 or more". */
const COUNTED = 100;
/** Of the daily quota. */
const NEARLY = 0.9;
/** Each look at what is held, or at a usage, is an entry of the audit trail. */
const SELDOM_MS = 300_000;
const MOST_ORGANIZATIONS = 20;

/** One thing that waits for a person. */
interface Need {
  readonly words: string;
  readonly since: string | null;
  readonly to: string;
  readonly what: string;
}

/** What needs a person now; and if nothing does, that it was looked for. */
export function FirstPage() {
  const session = useSession();
  const isIntegrator = mayAct(session, 'integrator');
  const { needs, errors, isPending, isCut } = useNeeds(isIntegrator);
  return (
    <div className="stack">
      <h1>What needs a person now</h1>
      {errors.map((fault, place) => (
        <RefusalNotice key={place} fault={fault} />
      ))}
      {isPending ? (
        <p role="status" className="hint">
          Looking …
        </p>
      ) : null}
      {isCut ? (
        <p className="hint">
          What waits for a person, and who has used up their day, was looked for in the first {MOST_ORGANIZATIONS}{' '}
          organizations only.
        </p>
      ) : null}
      {!isPending && needs.length === 0 && errors.length === 0 && !isCut ? (
        <p className="notice good">
          Nothing. Messages were taken, results are delivered, and everything that was set up is served.
        </p>
      ) : null}
      <ul className="needs">
        {needs.map(({ words, since, to, what }) => (
          <li key={`${words} ${to}`} className="notice warn">
            <strong>{words}</strong>
            {since === null ? null : <span className="hint"> since {moment(since)}</span>}
            <p>
              <Link to={to}>{what}</Link>
            </p>
          </li>
        ))}
      </ul>
      {isIntegrator ? null : (
        <p className="hint">Messages and what they say are for people with the role integrator.</p>
      )}
    </div>
  );
}

function useNeeds(isIntegrator: boolean) {
  const session = useSession();
  const [first] = useOrganizations('integrator');
  const organizationId = session.user.installationAdmin ? undefined : first?.id;
  const isAsked = isIntegrator && (session.user.installationAdmin || first !== undefined);
  const options = { isAsked, everyMs: EVERY_MS };
  const inbound = (state: string) =>
    pathWith('/admin/v1/hl7/messages', { direction: 'in', state, organizationId, limit: COUNTED });
  const failed = useRead<Items<Message>>(inbound('failed'), options);
  const sealed = useRead<Items<Message>>(inbound('sealed'), options);
  const parked = useRead<Items<Delivery>>(
    pathWith('/admin/v1/deliveries', { state: 'parked', organizationId, limit: COUNTED }),
    options,
  );
  const listeners = useRead<Items<Listener>>(pathWith('/admin/v1/hl7/listeners', { organizationId }), options);
  const destinations = useRead<Items<Destination>>(pathWith('/admin/v1/hl7/destinations', { organizationId }), options);
  const endpoints = useRead<Items<ExitEndpoint>>(
    pathWith('/admin/v1/deliveries/endpoints', { organizationId }),
    options,
  );
  const quota = useNearlyUsed();
  const held = useHeld();
  const reads = [failed, sealed, parked, listeners, destinations, endpoints];
  return {
    isCut: held.isCut,
    isPending: (isAsked && reads.some((read) => read.isPending)) || held.isPending,
    errors: [...reads, ...held.reads].flatMap(({ error }) => (error === null ? [] : [error])).slice(0, 1),
    needs: [
      ...countedNeed(failed.data?.items, 'refused', '/messages?direction=in&state=failed'),
      ...countedNeed(sealed.data?.items, 'that no key opens', '/messages?direction=in&state=sealed'),
      ...parkedNeed(parked.data?.items),
      ...(listeners.data?.items ?? []).flatMap(listenerNeeds),
      ...(destinations.data?.items ?? []).flatMap(destinationNeeds),
      ...(endpoints.data?.items ?? []).flatMap(endpointNeeds),
      ...held.needs,
      ...quota,
    ],
  };
}

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count >= COUNTED ? `${COUNTED} or more` : count} ${many}`;

function countedNeed(items: readonly Message[] | undefined, how: string, to: string): Need[] {
  const oldest = items?.at(-1);
  if (items === undefined || oldest === undefined) return [];
  const words = `${counted(items.length, 'message', 'messages')} ${how}`;
  return [{ words, since: timeOf(oldest), to, what: 'Look what is wrong with them' }];
}

function parkedNeed(items: readonly Delivery[] | undefined): Need[] {
  const oldest = items?.at(-1);
  if (items === undefined || oldest === undefined) return [];
  const words = `${counted(items.length, 'delivery is', 'deliveries are')} parked: a receiver did not take them`;
  return [{ words, since: oldest.createdAt, to: '/deliveries?state=parked', what: 'Read what the receiver said' }];
}

function listenerNeeds({ name, enabled, served, certificateDays }: Listener): Need[] {
  const to = '/peers';
  if (enabled && served === false)
    return [{ words: `Listener ${name} is not served: nothing can come in there`, since: null, to, what: 'See why' }];
  if (certificateDays !== null && certificateDays < 14)
    return [{ words: certificateWords(name, certificateDays), since: null, to, what: 'See it' }];
  return [];
}

function certificateWords(name: string, days: number): string {
  if (days < 0) return `The certificate of listener ${name} has ended: senders that check it cannot connect`;
  return `The certificate of listener ${name} ends ${days === 0 ? 'within a day' : days === 1 ? 'tomorrow' : `in ${days} days`}`;
}

function destinationNeeds({ name, enabled }: Destination): Need[] {
  return enabled
    ? []
    : [{ words: `Destination ${name} is paused: its results wait`, since: null, to: '/peers', what: 'Resume it' }];
}

/** Destinations say more of themselves. */
function endpointNeeds({ exit, state, address, trouble, organizationId }: ExitEndpoint): Need[] {
  if (exit === 'hl7' || (state === 'active' && trouble === undefined)) return [];
  const name = `${exit === 'webhook' ? 'Webhook' : 'Subscription'} ${address}`;
  const words = `${name} ${ENDPOINT_WORDS[state]}${trouble === undefined ? '' : `: ${trouble}`}`;
  return [{ words, since: null, to: pathWith('/peers', { organizationId }), what: 'See it, test and resume it' }];
}

const ENDPOINT_WORDS: Readonly<Record<ExitEndpoint['state'], string>> = {
  active: 'fails',
  paused: 'is paused',
  disabled: 'is disabled',
};

/** What waits for a person, by organization: of all that somebody may see, up to a number that is read in one go. */
function useHeld() {
  const all = useOrganizations();
  const organizations = all.slice(0, MOST_ORGANIZATIONS);
  const reads = useReads<Items<HeldItem>>(
    organizations.map(({ id }) => pathWith(`/admin/v1/organizations/${id}/held`, { limit: COUNTED })),
    { everyMs: SELDOM_MS },
  );
  const needs = organizations.flatMap(({ id, name }, place): Need[] => {
    const items = reads[place]?.data?.items ?? [];
    const [oldest] = items;
    if (oldest === undefined) return [];
    const words = `${counted(items.length, 'thing waits', 'things wait')} for a person at ${name}`;
    return [{ words, since: oldest.since, to: pathWith('/held', { organizationId: id }), what: 'Decide about them' }];
  });
  return {
    needs,
    reads,
    isPending: reads.some(({ isPending }) => isPending),
    isCut: all.length > MOST_ORGANIZATIONS,
  };
}

/** Organizations that have used most of their day: all that a person may see, up to a number that is read in one go. */
function useNearlyUsed(): Need[] {
  const organizations = useOrganizations().slice(0, MOST_ORGANIZATIONS);
  const usages = useReads<Usage>(
    organizations.map(({ id }) => `/admin/v1/organizations/${id}/usage`),
    { everyMs: SELDOM_MS },
  );
  return organizations.flatMap(({ name }, place): Need[] => {
    const usage = usages[place]?.data;
    if (usage === undefined || usage.used < usage.limit * NEARLY) return [];
    const { used, limit } = usage;
    const words =
      used < limit
        ? `${name} has used ${used} of ${limit} analyses of today`
        : `${name} has used up its ${limit} analyses of today: photos are refused or wait until 00:00 UTC`;
    return [{ words, since: null, to: '/organizations', what: 'See the organization' }];
  });
}
