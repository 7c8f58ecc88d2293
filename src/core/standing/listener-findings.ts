import { counted, finding, notKnown, type Finding } from './finding.js';
import type { ListenerFacts, ProcessFacts, ReceiverFacts, ServiceFacts } from './standing-facts.js';
import type { StandingFault, StandingState } from './standing-parts.js';
import { receiverName } from './receiver-findings.js';

const DAY_MS = 24 * 60 * 60_000;
/** Days before its end at which a certificate is told. */
const TOLD_DAYS = 14;
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has its port',
  EACCES: 'the service may not open its port',
  EADDRNOTAVAIL: 'this machine does not have its address',
  ENOENT: 'a file of its certificate is missing',
  plain_not_allowed: 'plain MLLP is not allowed there (HL7_ALLOW_PLAIN)',
  no_gateway: 'no gateway with the role hl7 has reported on it',
};

/** How it stands with one listener. */
export interface ListenerStandingInWords {
  readonly state: StandingState;
  readonly fault: StandingFault | null;
  readonly words: string;
  readonly nextStep: string | null;
}

export function listenerStanding({
  isPaused,
  isServed,
  notServedReason,
  lastMessageAt,
}: ListenerFacts): ListenerStandingInWords {
  if (isPaused)
    return {
      state: 'waiting',
      fault: 'listener_paused',
      words: 'is paused by a person: nothing can come in there',
      nextStep: 'Resume it once senders are to reach it again.',
    };
  if (isServed === false) {
    const reason = notServedReason ?? 'unknown';
    return {
      state: 'broken',
      fault: 'listener_not_served',
      words: `is not served: ${REASONS[reason] ?? `the reason is ${reason}`}; nothing can come in there`,
      nextStep: 'Mend that; it is tried again every few seconds.',
    };
  }
  if (isServed === null)
    return { state: 'unknown', fault: null, words: 'is for messages over HTTP alone', nextStep: null };
  if (lastMessageAt === null)
    return { state: 'unknown', fault: null, words: 'is served, and no message has come yet', nextStep: null };
  return { state: 'well', fault: null, words: 'is served', nextStep: null };
}

export function listenerFindings(listeners: readonly ListenerFacts[] | null): Finding[] {
  if (listeners === null) return [notKnown('listeners', 'Whether listeners are served')];
  const part = 'listeners';
  const all = listeners.map((listener) => ({ listener, standing: listenerStanding(listener) }));
  const ill = all.filter(({ standing }) => standing.fault !== null);
  const served = listeners.filter(({ isServed }) => isServed === true);
  const overHttp = listeners.filter(({ isServed, isPaused }) => isServed === null && !isPaused).length;
  return [
    ...ill.map(({ listener, standing: { state, fault, words, nextStep } }) =>
      finding({
        part,
        state,
        fault,
        words: `Listener ${listener.name} ${words}`,
        since: listener.isServed === false ? listener.notServedSince : null,
        organizationId: listener.organizationId,
        environment: listener.environment,
        subject: { kind: 'listener', id: listener.id },
        provenAt: listener.lastMessageAt,
        nextStep,
      }),
    ),
    ...(served.length === 0
      ? []
      : [
          finding({
            part,
            state: 'well',
            words: `${counted(served.length, 'listener is', 'listeners are')} served`,
            provenAt: latest(served.map(({ lastMessageAt }) => lastMessageAt)),
          }),
        ]),
    ...(overHttp === 0
      ? []
      : [
          finding({
            part,
            state: 'well',
            words: `${counted(overHttp, 'listener is', 'listeners are')} for HTTP alone: no port is to be served`,
          }),
        ]),
    ...(listeners.length === 0 ? [finding({ part, state: 'well', words: 'No listener for HL7 v2 is set up' })] : []),
  ];
}

function latest(moments: readonly (Date | null)[]): Date | null {
  const known = moments.filter((one) => one !== null);
  return known.length === 0 ? null : new Date(Math.max(...known.map((one) => one.getTime())));
}

/** The figure of a process that says for how many days a destination's certificates are good. */
export const DESTINATION_DAYS = 'sutura_hl7_destination_certificate_days';
/** That of the gateway's own HTTPS. */
export const OWN_DAYS = 'sutura_tls_certificate_days';

/** `mayCheckOwn`: whether the installation's own certificate is shown. */
export function certificateFindings(
  { listeners, receivers, processes }: Pick<ServiceFacts, 'listeners' | 'receivers' | 'processes'>,
  now: Date,
  mayCheckOwn: boolean,
): Finding[] {
  if (listeners === null || receivers === null || processes === null)
    return [notKnown('certificates', 'When certificates end')];
  const ends = [
    ...listeners.flatMap((listener) =>
      listener.certificateEndsAt === null
        ? []
        : [
            {
              days: daysUntil(listener.certificateEndsAt, now),
              of: `listener ${listener.name}`,
              on: listener,
              kind: 'listener' as const,
            },
          ],
    ),
    ...receivers.flatMap((receiver) => {
      const days = destinationDays(processes, receiver.id);
      return days === null ? [] : [{ days, of: lowerFirst(receiverName(receiver)), on: receiver, kind: receiver.exit }];
    }),
  ];
  const own = mayCheckOwn ? ownDays(processes) : null;
  const unreported = unreportedCertificates(receivers, processes, mayCheckOwn);
  const told = ends.filter(({ days }) => days < TOLD_DAYS);
  const soonest = Math.min(...ends.map(({ days }) => days), own ?? Infinity);
  const checked = ends.length + (own === null ? 0 : 1);
  return [
    ...told.map(({ days, of, on, kind }) =>
      finding({
        ...endingSoon(days, of),
        organizationId: on.organizationId,
        environment: on.environment,
        subject: { kind, id: on.id },
      }),
    ),
    ...(own !== null && own < TOLD_DAYS ? [finding(endingSoon(own, 'this service’s HTTPS'))] : []),
    ...unreported,
    ...(soonest >= TOLD_DAYS && (checked > 0 || unreported.length === 0)
      ? [goodFor(checked, soonest, now, mayCheckOwn)]
      : []),
  ];
}

/** What nobody has looked at: files that no process reports of, and the service's own while none reports at all. */
function unreportedCertificates(
  receivers: readonly ReceiverFacts[],
  processes: readonly ProcessFacts[],
  mayCheckOwn: boolean,
): Finding[] {
  const part = 'certificates';
  const nextStep = 'Look whether a gateway with the role hl7 runs, and may read the files.';
  const unread = receivers.filter(
    ({ id, isPaused, hasCertificates }) => hasCertificates && !isPaused && destinationDays(processes, id) === null,
  );
  const isSilent = mayCheckOwn && !processes.some(({ isFresh }) => isFresh);
  return [
    ...unread.map((receiver) =>
      finding({
        part,
        state: 'unknown',
        words: `When the certificate of ${lowerFirst(receiverName(receiver))} ends is not known: no process that reports can read its files`,
        organizationId: receiver.organizationId,
        environment: receiver.environment,
        subject: { kind: receiver.exit, id: receiver.id },
        nextStep,
      }),
    ),
    ...(isSilent
      ? [
          finding({
            part,
            state: 'unknown',
            words: 'Whether the service’s own certificate ends is not known: no process reports',
          }),
        ]
      : []),
  ];
}

function goodFor(checked: number, soonest: number, provenAt: Date, mayCheckOwn: boolean): Finding {
  const part = 'certificates';
  const of = mayCheckOwn ? '' : ' of connections';
  if (checked === 0)
    return finding({
      part,
      state: 'well',
      provenAt,
      words: `No certificate${of} is in use that this service knows the end of`,
    });
  return finding({
    part,
    state: 'well',
    provenAt,
    words: `${counted(checked, `certificate${of} is`, `certificates${of} are`)} good; the first ends in ${soonest} days`,
  });
}

function endingSoon(days: number, of: string) {
  const when =
    days < 0 ? 'has ended' : days === 0 ? 'ends within a day' : days === 1 ? 'ends tomorrow' : `ends in ${days} days`;
  return {
    part: 'certificates' as const,
    state: days < 0 ? ('broken' as const) : ('waiting' as const),
    fault: 'certificate_ends' as const,
    words: `The certificate of ${of} ${when}${days < 0 ? ': whoever checks it refuses the connection' : ''}`,
    nextStep: 'Put the renewed files in its place: they are read within some seconds, without a restart.',
  };
}

/** Whole days, negative once it has ended; as the fresh processes that can read its files report. */
export function destinationDays(processes: readonly ProcessFacts[], destinationId: string): number | null {
  return leastFigure(processes, `${DESTINATION_DAYS} ${destinationId}`);
}

function ownDays(processes: readonly ProcessFacts[]): number | null {
  return leastFigure(processes, OWN_DAYS);
}

/** The least that a fresh process reports; null: none reports it. */
export function leastFigure(processes: readonly ProcessFacts[], name: string): number | null {
  const known = processes.flatMap(({ isFresh, figures }) =>
    isFresh && figures[name] !== undefined ? [figures[name]] : [],
  );
  return known.length === 0 ? null : Math.min(...known);
}

export function daysUntil(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / DAY_MS);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
