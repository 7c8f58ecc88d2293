import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError, type EhrCapabilities } from '../../../ehrs/index.js';
import { toJsonb } from '../../../platform/database/statements.js';
import type {
  Columns,
  Connection,
  DueDelivery,
  NoAnswer,
  Outcome,
  SendingEndpoint,
  Transport,
} from '../../kit/index.js';
import { EhrServer } from '../calls/ehr-server.js';
import { TransientError } from '../filing/refusals.js';
import { ReportFiling } from '../filing/report-filing.js';
import type { EhrColumns } from '../queue/ehr-queue.js';
import type { KeptResource } from '../queue/filed-ledger.js';
import { HeldError, type Hold } from '../settings/holds.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';

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

/** Results over FHIR, as the senders of deliveries need it. */
@Injectable()
export class EhrTransport implements Transport<EhrEndpoint, EhrColumns, EhrOutcome> {
  constructor(
    private readonly server: EhrServer,
    private readonly filing: ReportFiling,
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
    return outcome.meaning === 'accepted' ? { ...said, filed: toJsonb(filed) } : said;
  }

  private async send(
    ehr: PushingEhr,
    delivery: DueDelivery<EhrColumns>,
    { capability, signal }: { readonly capability: EhrCapabilities; readonly signal: AbortSignal },
  ): ReturnType<Connection<EhrColumns, EhrOutcome>['send']> {
    const isAskedAnew = delivery.history.at(-1)?.what === 'requeued';
    const turn = { ehr, capability, mayBeThere: !delivery.unsent, isAskedAnew, signal };
    try {
      const filed = await this.filing.file(delivery, turn);
      return { meaning: 'accepted', answer: { filed, hold: null, codes: [] } };
    } catch (fault) {
      if (fault instanceof HeldError)
        return { meaning: 'rejected', answer: { filed: [], hold: fault.hold, codes: fault.codes } };
      if (!(fault instanceof TransientError)) throw fault;
      const { status, codes, retryAfterMs } = fault.answer;
      const asked = retryAfterMs === null ? {} : { retryAfterMs };
      return { meaning: 'transient', answer: { filed: [], hold: null, codes: [String(status), ...codes] }, ...asked };
    }
  }
}
