import { Injectable } from '@nestjs/common';
import type { ErrorKind } from '../../../core/errors/catalogue.js';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { NoEhrAnswerError, type EhrCapabilities } from '../../../ehrs/index.js';
import { isDatabaseFault } from '../../../platform/database/database-fault.js';
import { Logger } from '../../../platform/logging/logger.js';
import type {
  Columns,
  Connection,
  DueDelivery,
  KeptHistory,
  NoAnswer,
  Outcome,
  SendingEndpoint,
  Transport,
} from '../../kit/index.js';
import { EhrServer } from '../calls/ehr-server.js';
import type { FilingPatience } from '../filing/filing-turn.js';
import { TransientError, UNDER_WAY } from '../filing/refusals.js';
import { ReportFiling } from '../filing/report-filing.js';
import type { EhrColumns } from '../queue/ehr-queue.js';
import { lookedFor, termsOf } from '../queue/open-writes.js';
import { FiledLedger } from '../queue/filed-ledger.js';
import { WriteLedger } from '../queue/write-ledger.js';
import { HeldError, type Hold } from '../settings/holds.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { WriteMarks } from './write-marks.js';

/** An EHR as its sender knows it. */
export interface EhrEndpoint extends SendingEndpoint {
  readonly ehr: PushingEhr;
}

/** What is kept of an attempt. */
export interface EhrOutcome {
  readonly hold: Hold | null;
  /** HTTP status and codes of the EHR's answer, never its words. */
  readonly codes: readonly string[];
}

/** What a server says that it can do is read again after so long: releases change it. */
const CAPABILITY_LIFE_MS = 3_600_000;
/** By its first code, after how many of it in a row an answer is none that passes: over some 20 minutes, some two hours, a day. */
const MOST_IN_A_ROW: Readonly<Record<string, { readonly times: number; readonly hold: Hold }>> = {
  201: { times: 30, hold: 'ehr_outcome_unknown' },
  202: { times: 30, hold: 'ehr_outcome_unknown' },
  409: { times: 12, hold: 'ehr_refused' },
  423: { times: 300, hold: 'ehr_refused' },
  500: { times: 300, hold: 'ehr_refused' },
  no_resource: { times: 12, hold: 'ehr_refused' },
  no_bundle: { times: 12, hold: 'ehr_refused' },
  no_transaction_response: { times: 12, hold: 'ehr_refused' },
  too_large: { times: 12, hold: 'ehr_refused' },
};
/** Of requests with a look of ten minutes after each: three hours. */
const MOST_WITH_LOOKS = 36;
/**
 * A request without an answer is given up after 30 s; what stands between may carry it out later. Two hours are what the pauses between some thirty
 * looks come to.
 */
export const FILING_PATIENCE: FilingPatience = { lateMs: 600_000, takenMs: 7_200_000 };

/** Results over FHIR, as the senders of deliveries need it. */
@Injectable()
export class EhrTransport implements Transport<EhrEndpoint, EhrColumns, EhrOutcome> {
  constructor(
    private readonly server: EhrServer,
    private readonly filing: ReportFiling,
    private readonly ledger: FiledLedger,
    private readonly writes: WriteLedger,
    private readonly logger: Logger,
    private readonly patience: FilingPatience,
  ) {}

  open({ ehr }: EhrEndpoint): Promise<Connection<EhrColumns, EhrOutcome>> {
    const abort = new AbortController();
    let read: { readonly capability: EhrCapabilities; readonly atMs: number } | null = null;
    const capabilityOf = async (): Promise<EhrCapabilities> => {
      if (read !== null && performance.now() - read.atMs < CAPABILITY_LIFE_MS) return read.capability;
      read = { capability: await this.server.capability(ehr, abort.signal), atMs: performance.now() };
      return read.capability;
    };
    return Promise.resolve({
      send: async (delivery) => this.send(ehr, delivery, { capability: await capabilityOf(), signal: abort.signal }),
      close: () => abort.abort(),
    });
  }

  silenceOf(error: unknown): NoAnswer {
    if (error instanceof NoEhrAnswerError)
      return { kind: 'silent', fault: error.fault, mayHaveArrived: error.mayHaveArrived };
    // Of this service itself: whether anything was sent before is not known.
    return { kind: 'silent', fault: 'not_sent', mayHaveArrived: true };
  }

  reportOf({ reportId }: DueDelivery<EhrColumns>): string {
    return reportId;
  }

  columnsOf(_deliveryId: string, outcome: Outcome<EhrOutcome>): Columns {
    if (outcome.kind === 'silent') return {};
    const { hold, codes } = outcome.answer;
    return { held_for: hold, answer_codes: codes.length === 0 ? null : codes.join(' ') };
  }

  private async send(
    ehr: PushingEhr,
    delivery: DueDelivery<EhrColumns>,
    { capability, signal }: { readonly capability: EhrCapabilities; readonly signal: AbortSignal },
  ): ReturnType<Connection<EhrColumns, EhrOutcome>['send']> {
    try {
      // Not even what is found of it counts then: nothing would take it back.
      if (delivery.attempts > 1 && (await this.ledger.isSuperseded(delivery.id))) throw new HeldError('ehr_superseded');
      const { id, attempts, filed } = delivery;
      const attempt = { id, attempt: attempts };
      const { open, isForgotten } = await this.writes.known(attempt);
      const askedAtMs = leaveOf(delivery.history);
      const isAskedAnew = askedAtMs !== null;
      const earlier = { open: isAskedAnew ? lookedFor(open, askedAtMs) : open, isForgotten, filed: filed ?? [] };
      const wasAskedAnew = delivery.history.some((_, place) => isLook(delivery.history, place));
      const marks = new WriteMarks(this.writes, attempt, earlier, termsOf(ehr.push));
      const { patience } = this;
      const { reportId } = delivery;
      const asked = { isAskedAnew, askedAtMs, wasAskedAnew };
      const turn = { ehr, capability, earlier, ...asked, reportId, patience, marks, signal };
      await marks.file(await this.filing.file(delivery, turn));
      return { meaning: 'accepted', answer: { hold: null, codes: [] } };
    } catch (fault) {
      if (fault instanceof HeldError) return { meaning: 'rejected', answer: { hold: fault.hold, codes: fault.codes } };
      if (fault instanceof TransientError) {
        const { status, retryAfterMs } = fault.answer;
        const codes = [...(status === null ? [] : [String(status)]), ...fault.answer.codes];
        const most = MOST_IN_A_ROW[codes[0] ?? ''];
        if (most !== undefined && inARow(delivery.history, codes[0]!, most.times))
          return { meaning: 'rejected', answer: { hold: most.hold, codes } };
        const asked = retryAfterMs === null ? {} : { retryAfterMs };
        return { meaning: 'transient', answer: { hold: null, codes }, ...asked };
      }
      const kind = ownFaultOf(fault);
      if (kind === null) throw fault;
      // Its words may repeat what was to be filed.
      this.logger.error('ehr.own_fault', { ehrId: ehr.id, deliveryId: delivery.id, kind, at: placeOf(fault) });
      return { meaning: 'rejected', answer: { hold: 'ehr_own_fault', codes: [kind] } };
    }
  }
}

/**
 * When a person who was told that nobody knows whether it is there asked for it anew: they have looked, for one attempt that writes, and for what was
 * sent before. What passes before that attempt uses nothing up. null: nobody has.
 */
function leaveOf(history: KeptHistory): number | null {
  const place = history.findLastIndex(({ what }) => what === 'requeued');
  const hasPassed = history.slice(place + 1).every(({ what }) => ATTEMPTS.has(what));
  return isLook(history, place) && history[place]!.isSpent !== true && hasPassed
    ? Date.parse(history[place]!.at)
    : null;
}

/** Whether this entry is of a person who was told that, and asked for it anew. */
function isLook(history: KeptHistory, place: number): boolean {
  const [told, act] = [history[place - 1], history[place]];
  const hold: Hold = 'ehr_outcome_unknown';
  return act?.what === 'requeued' && told?.what === 'refused' && codeOf(told.answer) === hold;
}

const ATTEMPTS: ReadonlySet<string> = new Set(['refused', 'no_answer']);

/** What an answer begins with in the history: the hold, or the status; codes of the EHR follow. */
function codeOf(answer: string | undefined): string | undefined {
  return answer?.split(' ')[0];
}

/**
 * Whether it was answered with this code so often in a row. Where looks stand between the requests, each is one, and a history has no room for more
 * than some.
 */
function inARow(history: KeptHistory, code: string, most: number): boolean {
  const isOfIt = ({ what, answer }: KeptHistory[number]): boolean =>
    what === 'refused' && (codeOf(answer) === code || codeOf(answer) === UNDER_WAY);
  const before = history.findLastIndex((one) => !isOfIt(one));
  const row = history.slice(before + 1);
  const isWithLooks = row.some(({ answer }) => codeOf(answer) === UNDER_WAY);
  return row.reduce((sum, { times = 1 }) => sum + times, 0) >= (isWithLooks ? Math.min(most, MOST_WITH_LOOKS) : most);
}

/**
 * The kind of a fault of this service; null: of the network, the database or the object store, which pass. What is not known to pass would come again
 * at every try, and look as if the EHR did not answer.
 */
function ownFaultOf(fault: unknown): string | null {
  if (fault instanceof NoEhrAnswerError || isDatabaseFault(fault) || isOfSystem(fault)) return null;
  if (isSuturaError(fault)) return PASSING.has(fault.kind) ? null : fault.code;
  return fault instanceof Error && KIND.test(fault.name) ? fault.name : 'Error';
}

/** Of the disk or the network under this service; a file that is not there comes by itself no more. */
function isOfSystem(fault: unknown): boolean {
  const { code, syscall } = (fault ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  return typeof syscall === 'string' && code !== 'ENOENT';
}

const PASSING: ReadonlySet<ErrorKind> = new Set<ErrorKind>(['unavailable', 'timed_out', 'limited', 'storage_full']);
/** A name of a kind of errors, and no words. */
const KIND = /^[A-Za-z]{1,40}$/;

/** Where it arose, without its words; empty: not known. */
function placeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return '';
  const { stack = '', message } = fault;
  return /\n\s+at (.+)/.exec(stack.slice(stack.indexOf(message) + message.length))?.[1]?.trim() ?? '';
}
