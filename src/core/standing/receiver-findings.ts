import { counted, earliest, finding, notKnown, type Finding } from './finding.js';
import { MOST_COUNTED, type ReceiverFacts } from './standing-facts.js';
import type { StandingFault, StandingState } from './standing-parts.js';

/** What waits for so long without a process that sends it is told. */
const NOT_TRIED_AFTER_MS = 60_000;
const KINDS: Readonly<Record<ReceiverFacts['exit'], string>> = {
  hl7: 'Destination',
  webhook: 'Webhook',
  subscription: 'Subscription',
  ehr: 'EHR',
};

const DISABLED_FOR: Readonly<Record<NonNullable<ReceiverFacts['disabledFor']>, string>> = {
  gone: 'it answered 410 Gone',
  failing: 'it has failed for five days',
  handshake: 'its handshake was given up',
};

/** How it stands with one receiver. */
export interface ReceiverStanding {
  readonly state: StandingState;
  readonly fault: StandingFault | null;
  /** Behind its name. */
  readonly words: string;
  readonly since: Date | null;
  readonly nextStep: string | null;
}

export function receiverName({ exit, name, address }: Pick<ReceiverFacts, 'exit' | 'name' | 'address'>): string {
  return `${KINDS[exit]} ${name ?? address}`;
}

/** The first that is true of it: nothing may hide behind a milder one. */
export function receiverStanding(receiver: ReceiverFacts, now: Date): ReceiverStanding {
  const failed = failing(receiver);
  return (
    disabled(receiver) ??
    paused(receiver) ??
    (failed?.state === 'broken' ? failed : null) ??
    notTried(receiver, now) ??
    failed ??
    parked(receiver) ??
    taking(receiver)
  );
}

function disabled({ disabledFor, disabledAt }: ReceiverFacts): ReceiverStanding | null {
  if (disabledFor === null) return null;
  return {
    state: 'broken',
    fault: disabledFor === 'handshake' ? 'handshake_given_up' : 'endpoint_disabled',
    words: `is disabled, as ${DISABLED_FOR[disabledFor]}: nothing is sent to it`,
    since: disabledAt,
    nextStep:
      disabledFor === 'handshake'
        ? 'Mend the receiver, then let the client update the Subscription, so that the handshake is made again.'
        : 'Mend the receiver, test it, then resume it: what waits is sent.',
  };
}

/** Since when is not recorded. */
function paused({ exit, isPaused }: ReceiverFacts): ReceiverStanding | null {
  if (!isPaused) return null;
  const isEhr = exit === 'ehr';
  return {
    state: 'waiting',
    fault: 'endpoint_paused',
    words: `is ${isEhr ? 'paused or switched off' : 'paused'} by a person: nothing is sent to it`,
    since: null,
    nextStep: isEhr
      ? 'Enable its push, or resume it, once it is to take again: corrections and withdrawals of what was filed may wait.'
      : 'Resume it once its receiver is to take again.',
  };
}

function failing(receiver: ReceiverFacts): ReceiverStanding | null {
  const { failingSince: since, lastFault, lastAnswer, lastAcceptedAt } = receiver;
  if (since === null) return null;
  const [fault, words, nextStep] = failureOf(lastFault, lastAnswer);
  const takesOthers = lastAcceptedAt !== null && lastAcceptedAt > since;
  return takesOthers
    ? { state: 'waiting', fault, words: `${words}; it took others since`, since, nextStep }
    : { state: 'broken', fault, words, since, nextStep };
}

/** A connection that was made and gave no answer; every other fault is one of making it. */
const SILENT = /^(?:timeout|closed|broken_off|lost|unreadable)/;
/** It was reached, and does not let us in. */
const NOT_LET_IN = /^(?:unauthorized|token_refused)/;

function failureOf(fault: string | null, answer: string | null): [StandingFault, string, string] {
  if (fault === null && answer !== null)
    return [
      'receiver_refuses',
      `refuses what is sent to it (${answer})`,
      'Read what it says about the oldest that waits, mend that there or in our settings, then send again.',
    ];
  if (fault === null) return ['receiver_unreachable', 'does not take what is sent to it', 'Test the connection.'];
  if (NOT_LET_IN.test(fault))
    return [
      'receiver_refuses',
      `does not let us in (${fault})`,
      'Our token has ended there, or client id, keys or scopes are not the registered ones: ask those who run it, or give a new token. What waits is tried until then; a test does not ask for a token.',
    ];
  if (SILENT.test(fault))
    return [
      'receiver_silent',
      `gives no answer (${fault})`,
      'It was connected to and does not answer: ask those who run it, then test the connection.',
    ];
  return [
    'receiver_unreachable',
    `cannot be reached (${fault})`,
    'Look whether it runs and whether its address, firewall and certificate are right, then test the connection.',
  ];
}

function notTried({ waiting, oldestWaitingAt, isServed }: ReceiverFacts, now: Date): ReceiverStanding | null {
  if (isServed || waiting === 0 || oldestWaitingAt === null) return null;
  if (now.getTime() - oldestWaitingAt.getTime() < NOT_TRIED_AFTER_MS) return null;
  return {
    state: 'broken',
    fault: 'receiver_not_tried',
    words: 'is sent nothing: no process of the service sends to it',
    since: oldestWaitingAt,
    nextStep: 'Look whether a gateway runs, and what its log says.',
  };
}

/** Refused, or never sent: parked by a person, or without the key that opens it. */
function parked({ parked: count, oldestParkedAt }: ReceiverFacts): ReceiverStanding | null {
  if (count === 0) return null;
  return {
    state: 'waiting',
    fault: 'deliveries_parked',
    words: `has ${counted(count, 'delivery', 'deliveries', MOST_COUNTED)} parked until a person decides`,
    since: oldestParkedAt,
    nextStep:
      'Read why each is parked: what the receiver answered, who parked it, or a key that is missing. Then send again or discard.',
  };
}

function taking({ lastAcceptedAt }: ReceiverFacts): ReceiverStanding {
  const known = { fault: null, since: null };
  if (lastAcceptedAt === null)
    return { ...known, state: 'unknown', words: 'has not taken anything yet', nextStep: 'Test the connection.' };
  return { ...known, state: 'well', words: 'took the last that was sent to it', nextStep: null };
}

/** One for each receiver that needs a person; one for all that take, and one for all that nothing is known of. */
export function receiverFindings(receivers: readonly ReceiverFacts[] | null, now: Date): Finding[] {
  if (receivers === null) return [notKnown('receivers', 'Whether receivers take results')];
  const all = receivers.map((receiver) => ({ receiver, standing: receiverStanding(receiver, now) }));
  const ill = all
    .filter(({ standing }) => standing.fault !== null)
    .map(({ receiver, standing }) => ofOne(receiver, standing));
  const well = all.filter(({ standing }) => standing.state === 'well').map(({ receiver }) => receiver);
  const untried = all.filter(({ standing }) => standing.state === 'unknown').length;
  const part = 'receivers';
  return [
    ...ill,
    ...(untried === 0
      ? []
      : [
          finding({
            part,
            state: 'unknown',
            words: `${counted(untried, 'receiver has', 'receivers have')} not taken anything yet: nothing proves that they would`,
            nextStep: 'Test the connections.',
          }),
        ]),
    ...(well.length === 0
      ? []
      : [
          finding({
            part,
            state: 'well',
            words: `${counted(well.length, 'receiver', 'receivers')} took the last that was sent ${well.length === 1 ? 'to it' : 'to each'}`,
            // The weakest of the proofs: one that was given a result today proves nothing of one that was given its last in May.
            provenAt: earliest(well.map(({ lastAcceptedAt }) => lastAcceptedAt)),
          }),
        ]),
    ...(receivers.length === 0
      ? [finding({ part, state: 'well', words: 'No receiver is set up: results are kept here, and sent nowhere' })]
      : []),
  ];
}

function ofOne(receiver: ReceiverFacts, { state, fault, words, since, nextStep }: ReceiverStanding): Finding {
  const { id, exit, organizationId, environment, lastAcceptedAt } = receiver;
  const isOfParked = fault === 'deliveries_parked';
  return finding({
    part: 'receivers',
    state,
    fault,
    words: `${receiverName(receiver)} ${words}`,
    since,
    organizationId,
    environment,
    subject: { kind: exit, id },
    waiting: isOfParked ? receiver.parked : receiver.waiting,
    oldestWaitingAt: isOfParked ? receiver.oldestParkedAt : receiver.oldestWaitingAt,
    provenAt: lastAcceptedAt,
    nextStep,
  });
}
