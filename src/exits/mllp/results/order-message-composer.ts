import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { Settings } from '../../../platform/config/settings.js';
import { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import { toFailureGroup } from '../oru/failure-message.js';
import { toBytes } from '../oru/message-envelope.js';
import { toResultGroup, type ResultGroup } from '../oru/result-message.js';
import { isFinal } from '../oru/result-row.js';
import type { NewMessage } from '../outbox/outbound-message.js';
import type { OrderPart } from '../outbox/order-parts.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import type { ReadFailure } from './failure-facts-reader.js';
import type { WholeFacts } from './report-facts-reader.js';
import { ReportFilesReader, type VersionFiles } from './report-files.js';

/** What one photo of an order is told by. */
export type OrderMember = OrderPart & {
  /** The version that the receiver has; 0: none. */
  readonly told: number;
  readonly patientId: string | null;
} & (
    | {
        readonly kind: 'report';
        readonly facts: WholeFacts;
        readonly latest: ClinicalReport;
        readonly before: ClinicalReport | null;
      }
    | { readonly kind: 'failure'; readonly failure: ReadFailure }
  );

/** Makes the one message of an order with several photos. */
@Injectable()
export class OrderMessageComposer {
  constructor(
    private readonly files: ReportFilesReader,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** `carrier`: the member under which the queue has it. null: no patient is known, so that no receiver could file it. */
  async compose(
    members: readonly OrderMember[],
    carrier: OrderMember,
    destination: Hl7Destination,
  ): Promise<NewMessage | null> {
    const { settings, environment } = destination;
    const writer = new MessageWriter(settings.version);
    const groups: ResultGroup[] = [];
    const files: VersionFiles[] = [];
    for (const member of members) {
      const place = groups.length + 1;
      if (member.kind === 'failure') {
        const group = toFailureGroup(writer, member.failure.facts, settings, place);
        if (group !== null) groups.push(group);
        continue;
      }
      const share = { settings: { ...settings, maxBytes: Math.floor(settings.maxBytes / members.length) } };
      const own = await this.files.of(member.facts).of(member.latest, share);
      const group = toResultGroup(writer, this.factsOf(member, own), settings, place);
      if (group === null) continue;
      groups.push(group);
      files.push(own);
    }
    const [first] = groups;
    if (first === undefined) return null;
    const segments = [first.pid, first.pv1, ...groups.flatMap((group) => group.segments)];
    const sentAt = this.clock.now();
    return {
      kind: 'result',
      subjectId: carrier.subjectId,
      version: carrier.version,
      lane: carrier.patientId ?? carrier.subjectId,
      preliminary: carrier.kind === 'report' && carrier.latest.status === 'preliminary',
      imageIds: [...new Set(files.flatMap(({ imageIds }) => imageIds))],
      files: files.flatMap(({ stored }) => stored),
      build: (controlId) => toBytes(writer, controlId, segments, { settings, environment, sentAt }),
    };
  }

  private factsOf(
    { facts, latest, before }: Extract<OrderMember, { kind: 'report' }>,
    { document, photo }: VersionFiles,
  ): Parameters<typeof toResultGroup>[1] {
    const { patient, received, analysedAt, image } = facts;
    return {
      report: latest,
      before,
      patient,
      received,
      analysedAt,
      snomed: this.settings.fhir.snomed,
      document,
      photo: photo === null ? null : { file: photo, format: image?.verdict?.format ?? 'jpeg' },
      sentAt: this.clock.now(),
      isRepeated: before !== null && isFinal(before),
    };
  }
}
