import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import {
  AdminRoute,
  CurrentOperator,
  IN_QUERY,
  NeedsRole,
  ownerInPath,
  DescribesAdmin,
} from '../../../../identity/index.js';
import { JsonBody, QueryInput } from '../../../../platform/http/zod.pipe.js';
import { sourceOf } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { ClinicalRecords } from '../../../../standards/hl7v2/records/clinical-records.js';
import { HL7_EXAMPLES, IDS } from './hl7-admin.examples.js';
import type { DryRunView } from '../operations/dry-run.views.js';
import { MessageDryRun } from '../operations/message-dry-run.js';
import {
  EXPORT_QUERY,
  MESSAGE_QUERY,
  MOVE,
  RANGE,
  RANGE_BODY,
  DRY_RUN,
  type ExportQuery,
  type InboundQuery,
  type MessageRange,
  type Move,
  type OutboundQuery,
  type DryRunRequest,
} from '../operations/hl7.schema.js';
import type { InboundView, MessageView, OutboundView } from '../operations/hl7.views.js';
import { MessageOperationsFactory } from '../operations/message-operations.factory.js';
import type { ErasedMessage, ExportedMessage, ReplayedRange } from '../operations/message-operations.js';

const OF_MESSAGE = { messageId: IDS.message } as const;
const FILTERS = {
  direction: 'in (default) or out',
  organizationId: 'Of this organization only; with direction out together with environment',
  environment: 'test or live',
  listenerId: 'What came in there',
  destinationId: 'What goes out there',
  state:
    'received, processed, ignored, failed, sealed, discarded; or waiting, delivered, parked, discarded, collapsed, moved',
  controlId: 'MSH-10',
  type: 'Message type of what came in, such as ORU^R01',
  patient: 'A number of the patient, as the message has it',
  order: 'A number of the order, placer’s or filler’s, as the message has it',
  error: 'Words of what is wrong with it, or of what its receiver answered',
  from: 'Received, or made, at this moment or later: RFC 3339, or a day',
  to: 'Before this moment',
  limit: '1 to 1000, default 100',
  after: 'Go on behind the message with this id',
} as const;

/** HL7 v2 messages, in and out, for the operator. */
@AdminRoute()
@Controller('admin/v1/hl7')
export class Hl7MessagesController {
  constructor(
    private readonly operations: MessageOperationsFactory,
    private readonly dryRun: MessageDryRun,
    private readonly listeners: ListenerRepository,
    private readonly records: ClinicalRecords,
  ) {}

  @Get('messages')
  @NeedsRole('integrator', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listHl7Messages',
    summary: 'What came in, or what goes out, newest first',
    query: FILTERS,
    status: 200,
    answer: { items: [HL7_EXAMPLES.inbound] },
  })
  async list(
    @CurrentOperator() operator: Operator,
    @QueryInput(MESSAGE_QUERY) query: InboundQuery | OutboundQuery,
  ): Promise<{ readonly items: readonly (InboundView | OutboundView)[] }> {
    return {
      items:
        query.direction === 'in'
          ? await this.operations.of(operator).listInbound(query)
          : await this.operations.of(operator).listOutbound(query),
    };
  }

  @Get('export')
  @NeedsRole('integrator', IN_QUERY)
  @DescribesAdmin({
    operationId: 'exportHl7Messages',
    summary:
      'Messages as they went over the line, newest first, at most 100 and 8 MiB at once: go on with after until a page is empty; each is written into the audit trail',
    query: { ...FILTERS, limit: '1 to 100, default 100' },
    status: 200,
    answer: { items: [HL7_EXAMPLES.exported] },
  })
  async export(
    @CurrentOperator() operator: Operator,
    @QueryInput(EXPORT_QUERY) query: ExportQuery,
  ): Promise<{ readonly items: readonly ExportedMessage[] }> {
    return { items: await this.operations.of(operator).exportPage(query) };
  }

  @Post('replay')
  @HttpCode(200)
  @NeedsRole('integrator', { in: 'body', fields: { listener: 'listenerId', destination: 'destinationId' } })
  @DescribesAdmin({
    operationId: 'replayHl7Range',
    summary: 'All messages of a range once more, oldest first, at most 1,000 at once',
    body: RANGE_BODY,
    example: HL7_EXAMPLES.range,
    inPath: {},
    status: 200,
    answer: HL7_EXAMPLES.replayed,
  })
  replayRange(@CurrentOperator() operator: Operator, @JsonBody(RANGE) range: MessageRange): Promise<ReplayedRange> {
    return this.operations.of(operator).replayRange(range);
  }

  @Get('messages/:messageId')
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'readHl7Message',
    summary: 'One message with what went over the line; written into the audit trail',
    inPath: OF_MESSAGE,
    status: 200,
    answer: HL7_EXAMPLES.message,
    refusals: ['hl7.message_not_found', 'hl7.sealed'],
  })
  show(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<MessageView> {
    return this.operations.of(operator).show(messageId);
  }

  @Delete('messages/:messageId/files')
  @NeedsRole('admin', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'eraseHl7MessageFiles',
    summary: 'Take every photo and file out of a message that came in, for good; it can then no longer be replayed',
    inPath: OF_MESSAGE,
    status: 200,
    answer: HL7_EXAMPLES.erased,
    refusals: ['hl7.message_not_found', 'hl7.in_progress', 'hl7.sealed'],
  })
  erase(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<ErasedMessage> {
    return this.operations.of(operator).erase(messageId);
  }

  @Post('messages/:messageId/replay')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'replayHl7Message',
    summary: 'Process an inbound message once more, or send an outbound one once more',
    inPath: OF_MESSAGE,
    status: 204,
    answer: null,
    refusals: ['hl7.message_not_found', 'hl7.in_progress', 'hl7.superseded', 'hl7.not_parked', 'hl7.sealed'],
  })
  replay(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<void> {
    return this.operations.of(operator).replay(messageId);
  }

  @Post('messages/:messageId/requeue')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'requeueHl7Message',
    summary: 'Send a parked message once more, or process one that came in sealed',
    inPath: OF_MESSAGE,
    status: 204,
    answer: null,
    refusals: [
      'hl7.message_not_found',
      'hl7.in_progress',
      'hl7.not_parked',
      'hl7.superseded',
      'hl7.sealed',
      'hl7.destination_deleted',
    ],
  })
  requeue(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<void> {
    return this.operations.of(operator).requeue(messageId);
  }

  @Post('messages/:messageId/discard')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'discardHl7Message',
    summary: 'Give a message up for good that is parked, or came in sealed',
    inPath: OF_MESSAGE,
    status: 204,
    answer: null,
    refusals: ['hl7.message_not_found', 'hl7.not_parked'],
  })
  discard(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<void> {
    return this.operations.of(operator).discard(messageId);
  }

  @Post('messages/:messageId/retry')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'retryHl7Message',
    summary: 'Try a waiting message now; it still waits for those before it',
    inPath: OF_MESSAGE,
    status: 204,
    answer: null,
    refusals: ['hl7.message_not_found', 'hl7.not_waiting', 'hl7.sealed'],
  })
  retry(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<void> {
    return this.operations.of(operator).retryNow(messageId);
  }

  @Post('messages/:messageId/park')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'parkHl7Message',
    summary: 'Let a waiting message step aside',
    inPath: OF_MESSAGE,
    status: 204,
    answer: null,
    refusals: ['hl7.message_not_found', 'hl7.not_waiting'],
  })
  park(@CurrentOperator() operator: Operator, @Param('messageId') messageId: string): Promise<void> {
    return this.operations.of(operator).park(messageId);
  }

  @Post('messages/:messageId/move')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('message'))
  @DescribesAdmin({
    operationId: 'moveHl7Message',
    summary: 'Give a waiting or parked message to another destination of its organization',
    body: MOVE,
    example: HL7_EXAMPLES.move,
    inPath: OF_MESSAGE,
    status: 200,
    answer: HL7_EXAMPLES.moved,
    refusals: [
      'hl7.message_not_found',
      'hl7.destination_not_found',
      'hl7.not_parked',
      'hl7.superseded',
      'hl7.already_there',
      'hl7.sealed',
    ],
  })
  async move(
    @CurrentOperator() operator: Operator,
    @Param('messageId') messageId: string,
    @JsonBody(MOVE) { destinationId }: Move,
  ): Promise<{ readonly messageId: string }> {
    return { messageId: await this.operations.of(operator).move(messageId, destinationId) };
  }

  @Post('destinations/:destinationId/requeue')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('destination'))
  @DescribesAdmin({
    operationId: 'requeueHl7Destination',
    summary: 'Send everything that is parked for a destination once more',
    inPath: { destinationId: IDS.destination },
    status: 200,
    answer: HL7_EXAMPLES.requeued,
    refusals: ['hl7.destination_not_found'],
  })
  async requeueAll(
    @CurrentOperator() operator: Operator,
    @Param('destinationId') destinationId: string,
  ): Promise<{ readonly requeued: number }> {
    return { requeued: await this.operations.of(operator).requeueAll(destinationId) };
  }

  @Post('dry-run')
  @HttpCode(200)
  @NeedsRole('integrator', { in: 'body', fields: { listener: 'listenerId' } })
  @DescribesAdmin({
    operationId: 'tryHl7Message',
    summary: 'What a message would do if it came to a listener, and its FHIR; stores nothing',
    body: DRY_RUN,
    example: HL7_EXAMPLES.newDryRun,
    inPath: {},
    status: 200,
    answer: HL7_EXAMPLES.dryRun,
    refusals: ['hl7.listener_not_found', 'hl7.unreadable'],
  })
  async tryOut(@JsonBody(DRY_RUN) { listenerId, message }: DryRunRequest): Promise<DryRunView> {
    const listener = await this.listeners.find(listenerId);
    if (listener === null) throw new SuturaError('hl7.listener_not_found');
    return this.dryRun.run(Buffer.from(message), sourceOf(listener), this.records);
  }
}
