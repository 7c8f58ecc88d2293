import { mayAct, useSession } from '../session.js';
import type { Delivery, Destination, Endpoint, HeldItem, Items, Listener, Message, Usage } from '../shared/answers.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { pathWith, useReads } from '../shared/reads.js';
import { COUNTED, counted, countedNeed, endpointNeeds, listenerNeeds, parkedNeed, type Need } from './needs.js';

/** Read again while the page is seen. */
const EVERY_MS = 15_000;
/** Of the daily quota. */
const NEARLY = 0.9;
/** Each look at what is held, or at a usage, is an entry of the audit trail. */
const SELDOM_MS = 300_000;
export const MOST_ORGANIZATIONS = 20;

/** What needs a person, of all that the session may see; `unasked`: what was not looked for, in words. */
export function useNeeds() {
  const session = useSession();
  const isAdmin = session.user.installationAdmin;
  const organizations = useOrganizations().map(({ id }) => id);
  const seen = isAdmin ? [undefined] : organizations.slice(0, MOST_ORGANIZATIONS);
  const read = seen.filter((id) => isAdmin || mayAct(session, 'integrator', id));
  const options = { everyMs: EVERY_MS };
  const inbound = (state: string) =>
    read.map((organizationId) =>
      pathWith('/admin/v1/hl7/messages', { direction: 'in', state, organizationId, limit: COUNTED }),
    );
  const of = (path: string, more: Parameters<typeof pathWith>[1] = {}) =>
    seen.map((organizationId) => pathWith(path, { ...more, organizationId }));
  const failed = useReads<Items<Message>>(inbound('failed'), options);
  const sealed = useReads<Items<Message>>(inbound('sealed'), options);
  const parked = useReads<Items<Delivery>>(of('/admin/v1/deliveries', { state: 'parked', limit: COUNTED }), options);
  const listeners = useReads<Items<Listener>>(of('/admin/v1/hl7/listeners'), options);
  const destinations = useReads<Items<Destination>>(of('/admin/v1/hl7/destinations'), options);
  const endpoints = useReads<Items<Endpoint>>(of('/admin/v1/deliveries/endpoints'), options);
  const usages = useUsages();
  const held = useHeld();
  const names = new Map(allOf(destinations).map(({ id, name }) => [id, name]));
  const reads = [...failed, ...sealed, ...parked, ...listeners, ...destinations, ...endpoints];
  const all = [...reads, ...held.reads, ...usages.reads];
  return {
    isCut: organizations.length > MOST_ORGANIZATIONS,
    isPending: all.some(({ isPending }) => isPending),
    errors: all.flatMap(({ error }) => (error === null ? [] : [error])).slice(0, 1),
    unasked:
      read.length === seen.length && seen.length > 0
        ? []
        : ['Refused messages were not looked for: they are for people with the role integrator.'],
    needs: [
      ...failed.flatMap(({ data }) => countedNeed(data?.items, 'refused', '/messages?direction=in&state=failed')),
      ...sealed.flatMap(({ data }) =>
        countedNeed(data?.items, 'that no key opens', '/messages?direction=in&state=sealed'),
      ),
      ...parked.flatMap(({ data }) => parkedNeed(data?.items)),
      ...allOf(listeners).flatMap(listenerNeeds),
      ...allOf(endpoints).flatMap((endpoint) => endpointNeeds(endpoint, names)),
      ...held.needs,
      ...usages.needs,
    ],
  };
}

function allOf<T>(reads: readonly { readonly data: Items<T> | undefined }[]): readonly T[] {
  return reads.flatMap(({ data }) => data?.items ?? []);
}

/** What waits for a person, by organization: of all that somebody may see, up to a number that is read in one go. */
function useHeld() {
  const organizations = useOrganizations().slice(0, MOST_ORGANIZATIONS);
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
  return { needs, reads };
}

/** Organizations that have used most of their day: all that a person may see, up to a number that is read in one go. */
function useUsages() {
  const organizations = useOrganizations().slice(0, MOST_ORGANIZATIONS);
  const reads = useReads<Usage>(
    organizations.map(({ id }) => `/admin/v1/organizations/${id}/usage`),
    { everyMs: SELDOM_MS },
  );
  const needs = organizations.flatMap(({ name }, place): Need[] => {
    const usage = reads[place]?.data;
    if (usage === undefined || usage.used < usage.limit * NEARLY) return [];
    const { used, limit } = usage;
    const words =
      used < limit
        ? `${name} has used ${used} of ${limit} analyses of today`
        : `${name} has used up its ${limit} analyses of today: photos are refused or wait until 00:00 UTC`;
    return [{ words, since: null, to: '/organizations', what: 'See the organization' }];
  });
  return { needs, reads };
}
