import type { Delivery, Endpoint, Listener, Message } from '../shared/answers.js';
import { timeOf } from '../messages/message-table.js';
import { pathWith } from '../shared/reads.js';

/** More than this is said as "100 or more". */
export const COUNTED = 100;

/** One thing that waits for a person. */
export interface Need {
  readonly words: string;
  readonly since: string | null;
  readonly to: string;
  readonly what: string;
}

export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count >= COUNTED ? `${COUNTED} or more` : count} ${many}`;

export function countedNeed(items: readonly Message[] | undefined, how: string, to: string): Need[] {
  const oldest = items?.at(-1);
  if (items === undefined || oldest === undefined) return [];
  const words = `${counted(items.length, 'message', 'messages')} ${how}`;
  return [{ words, since: timeOf(oldest), to, what: 'Look what is wrong with them' }];
}

export function parkedNeed(items: readonly Delivery[] | undefined): Need[] {
  const oldest = items?.at(-1);
  if (items === undefined || oldest === undefined) return [];
  const words = `${counted(items.length, 'delivery is', 'deliveries are')} parked: a receiver did not take them`;
  return [{ words, since: oldest.createdAt, to: '/deliveries?state=parked', what: 'Read what the receiver said' }];
}

export function listenerNeeds({ name, enabled, served, certificateDays }: Listener): Need[] {
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

/** `names`: of the destinations, by id. */
export function endpointNeeds(endpoint: Endpoint, names: ReadonlyMap<string, string>): Need[] {
  const { id, exit, state, address, trouble, failingSince = null, organizationId } = endpoint;
  if (state === 'active' && trouble === undefined) return [];
  const name = `${ENDPOINT_KINDS[exit] ?? exit} ${names.get(id) ?? address}`;
  const words = `${name} ${ENDPOINT_WORDS[state]}${trouble === undefined ? '' : `: ${trouble}`}`;
  const what =
    state === 'active' ? 'See it and test it' : state === 'paused' ? 'Resume it' : 'See it, test and resume it';
  return [{ words, since: failingSince, to: pathWith('/peers', { organizationId }), what }];
}

const ENDPOINT_KINDS: Readonly<Partial<Record<string, string>>> = {
  webhook: 'Webhook',
  subscription: 'Subscription',
  hl7: 'Destination',
};

const ENDPOINT_WORDS: Readonly<Record<Endpoint['state'], string>> = {
  active: 'fails',
  paused: 'is paused',
  disabled: 'is disabled',
};
