import { Injectable } from '@nestjs/common';
import type { ErrorKind } from '../../../core/errors/catalogue.js';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { NoEhrAnswerError, type EhrCapabilities } from '../../../ehrs/index.js';
import { isDatabaseFault } from '../../../platform/database/database-fault.js';
import { toJsonb } from '../../../platform/database/statements.js';
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
import type { FilingTurn } from '../filing/filing-turn.js';
import { saysTaken, TransientError } from '../filing/refusals.js';
import { ReportFiling } from '../filing/report-filing.js';
import type { EhrColumns } from '../queue/ehr-queue.js';
import { FiledLedger, type KeptResource } from '../queue/filed-ledger.js';
import { HeldError, type Hold } from '../settings/holds.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { WriteMarks } from './write-marks.js';

/** An EHR as its sender knows it. */
export interface EhrEndpoint extends SendingEndpoint {
  readonly ehr: PushingEhr;
}

/** What is kept of an attempt. */
export interface EhrOutcome {
  readonly filed: readonly KeptResource[];
  readonly hold: Hold | null;
  /** HTTP status and codes of the EHR's answer, never its words. */
  readonly codes: readonly string[];
}

/** What a server says that it can do is read again after so long: releases change it. */
const CAPABILITY_LIFE_MS = 3_600_000;
const CONFLICT = 409;
/** After so many in a row, over some 20 minutes, a conflict is none that passes. */
const MOST_CONFLICTS = 12;

/** Results over FHIR, as the senders of deliveries need it. */
@Injectable()
export class EhrTransport implements Transport<EhrEndpoint, EhrColumns, EhrOutcome> {
  constructor(
    private readonly server: EhrServer,
    private readonly filing: ReportFiling,
    private readonly ledger: FiledLedger,
    private readonly logger: Logger,
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
    const { filed, hold, codes } = outcome.answer;
    const said = { held_for: hold, answer_codes: codes.length === 0 ? null : codes.join(' ') };
    return outcome.meaning === 'accepted' ? { ...said, filed: toJsonb(filed), unsettled: false } : said;
  }

  private async send(
    ehr: PushingEhr,
    delivery: DueDelivery<EhrColumns>,
    { capability, signal }: { readonly capability: EhrCapabilities; readonly signal: AbortSignal },
  ): ReturnType<Connection<EhrColumns, EhrOutcome>['send']> {
    try {
      // Not even what is found of it counts then: nothing would take it back.
      if (delivery.attempts > 1 && (await this.ledger.isSuperseded(delivery.id))) throw new HeldError('ehr_superseded');
      const filed = await this.filing.file(delivery, this.turnOf(ehr, delivery, capability, signal));
      return { meaning: 'accepted', answer: { filed, hold: null, codes: [] } };
    } catch (fault) {
      if (fault instanceof HeldError)
        return { meaning: 'rejected', answer: { filed: [], hold: fault.hold, codes: fault.codes } };
      if (fault instanceof TransientError) {
        const { status, codes, retryAfterMs } = fault.answer;
        if (status === CONFLICT && conflictsOf(delivery.history) >= MOST_CONFLICTS)
          return { meaning: 'rejected', answer: { filed: [], hold: 'ehr_refused', codes: [String(status), ...codes] } };
        const asked = retryAfterMs === null ? {} : { retryAfterMs };
        return { meaning: 'transient', answer: { filed: [], hold: null, codes: [String(status), ...codes] }, ...asked };
      }
      const kind = ownFaultOf(fault);
      if (kind === null) throw fault;
      // Its words may repeat what was to be filed.
      this.logger.error('ehr.own_fault', { ehrId: ehr.id, deliveryId: delivery.id, kind, at: placeOf(fault) });
      return { meaning: 'rejected', answer: { filed: [], hold: 'ehr_own_fault', codes: [kind] } };
    }
  }

  private turnOf(
    ehr: PushingEhr,
    { id, attempts, reportId, unsettled, patient, filed, history, failures }: DueDelivery<EhrColumns>,
    capability: EhrCapabilities,
    signal: AbortSignal,
  ): FilingTurn {
    const isTaken = history.some(({ what, answer }) => what === 'refused' && saysTaken(answer));
    const marks = new WriteMarks(this.ledger, { id, attempt: attempts }, unsettled);
    return {
      ehr,
      capability,
      earlier: { isUnsettled: unsettled, patient, filed: filed ?? [], isTaken, failures },
      isAskedAnew: hasBeenLookedFor(history),
      reportId,
      signal,
      begin: (chart) => marks.begin(chart),
      settle: () => marks.settle(),
    };
  }
}

/** A person was told that nobody knows whether it is there, and asked for it anew: they have looked, for one attempt that writes. */
function hasBeenLookedFor(history: KeptHistory): boolean {
  const [told, act] = history.slice(-2);
  const hold: Hold = 'ehr_outcome_unknown';
  return act?.what === 'requeued' && act.isSpent !== true && told?.what === 'refused' && codeOf(told.answer) === hold;
}

/** What an answer begins with in the history: the hold, or the status; codes of the EHR follow. */
function codeOf(answer: string | undefined): string | undefined {
  return answer?.split(' ')[0];
}

/** So often in a row it was answered 409 last. */
function conflictsOf(history: KeptHistory): number {
  const last = history.at(-1);
  return last?.what === 'refused' && codeOf(last.answer) === String(CONFLICT) ? (last.times ?? 1) : 0;
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
