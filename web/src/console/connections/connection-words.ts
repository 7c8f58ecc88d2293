import type { Connection } from '../shared/answers.js';
import { lengthBetween } from '../shared/lengths.js';
import type { Tone } from '../shared/words.js';

export const CONNECTION_KIND_WORDS: Readonly<Record<Connection['kind'], string>> = {
  listener: 'in, HL7 v2',
  hl7: 'out, HL7 v2',
  webhook: 'out, webhook',
  subscription: 'out, FHIR Subscription',
  ehr: 'out, EHR',
};

const FAULT_WORDS: Partial<Readonly<Record<NonNullable<Connection['fault']>, string>>> = {
  receiver_unreachable: 'not reached',
  receiver_silent: 'silent',
  receiver_refuses: 'refusing',
  receiver_not_tried: 'not sent to',
  endpoint_disabled: 'disabled',
  handshake_given_up: 'given up',
  endpoint_paused: 'paused',
  deliveries_parked: 'some parked',
  listener_not_served: 'not served',
  listener_paused: 'paused',
};

/** One or two words; "taking" and "served" only where something proves it. */
export function stateWord({ fault, state, kind }: Pick<Connection, 'fault' | 'state' | 'kind'>): string {
  if (fault !== null && state === 'unknown') return 'not known';
  if (fault !== null) return FAULT_WORDS[fault] ?? 'failing';
  if (state !== 'well') return 'nothing yet';
  return kind === 'listener' ? 'served' : 'taking';
}

export function stateTone({ state }: Pick<Connection, 'state'>): Tone {
  const tones: Readonly<Record<Connection['state'], Tone>> = {
    broken: 'bad',
    waiting: 'warn',
    unknown: 'plain',
    well: 'good',
  };
  return tones[state];
}

const MOST = 10_000;

/** "18 (oldest 31 min), 2 parked"; of a way in nothing waits there. */
export function queueInWords(
  { kind, waiting, parked, oldestWaitingAt }: Pick<Connection, 'kind' | 'waiting' | 'parked' | 'oldestWaitingAt'>,
  at: string,
): string {
  if (kind === 'listener') return '–';
  const counted = (count: number) => (count >= MOST ? `${count} or more` : String(count));
  const oldest = oldestWaitingAt === null ? '' : ` (oldest ${lengthBetween(oldestWaitingAt, at)})`;
  return `${counted(waiting)}${oldest}${parked === 0 ? '' : `, ${counted(parked)} parked`}`;
}
