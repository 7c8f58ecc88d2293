import { Injectable } from '@nestjs/common';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { MessageReprocessor } from '../../../hl7v2/inbox/processing/message-reprocessor.js';
import { InboundQueries } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { InboundRecord } from '../../../hl7v2/inbox/store/inbound-record.js';
import type { ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { presentSourceOf } from './message-reprocessing.js';

/** What of a message was left out, since something later would be undone: whoever counts it as done has to know. */
const LEFT: readonly string[] = ['message.not_carried_out', 'finding.said_since'] satisfies ProblemCode[];

/** A message that is no longer refused or sealed; carries its state. */
class PutRight extends Error {
  constructor(readonly state: string) {
    super('The message is not refused any more.');
  }
}

/** Refused and sealed messages, read once more as some of many. The caller has written them into the audit trail. */
@Injectable()
export class FailedMessages {
  constructor(
    private readonly reprocessor: MessageReprocessor,
    private readonly inbound: InboundQueries,
    private readonly listeners: ListenerRepository,
  ) {}

  /**
   * Reads one by today's settings, as reprocessing does: what came later of its patient, visit or order stays as it is. Answers null, or why it is left
   * as it was, wholly or in part: the code of its first error or of what was left out, or its state where it is no longer refused. What MessageReprocessor throws.
   */
  async again(id: string): Promise<string | null> {
    try {
      const { outcome, problems } = await this.reprocessor.reprocess(id, (record) => this.sourceFor(record), null);
      const code = (problems.find(({ severity }) => severity === 'error') ?? problems[0])?.code ?? 'refused';
      if (outcome === 'refused') return code;
      const left = problems.find((problem) => LEFT.includes(problem.code));
      if (left !== undefined) return left.code;
      // Of a kind that the listener no longer takes, nothing is written.
      return outcome === 'unchanged' && isFailed(await this.inbound.find(id)) ? code : null;
    } catch (fault) {
      if (fault instanceof PutRight) return fault.state;
      throw fault;
    }
  }

  /** Of the message as it is read once more; it is written only where it is still as it was read. */
  private async sourceFor(record: InboundRecord): ReturnType<typeof presentSourceOf> {
    if (!isFailed(record)) throw new PutRight(record.state);
    return presentSourceOf(this.listeners, record);
  }
}

function isFailed({ state }: Pick<InboundRecord, 'state'>): boolean {
  return state === 'failed' || state === 'sealed';
}
