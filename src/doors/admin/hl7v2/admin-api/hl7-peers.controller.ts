import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../../core/tenancy/operator.js';
import {
  AdminRoute,
  CurrentOperator,
  IN_BODY,
  IN_QUERY,
  NeedsRole,
  ownerInPath,
  DescribesAdmin,
} from '../../../../identity/index.js';
import { JsonBody, QueryInput } from '../../../../platform/http/zod.pipe.js';
import { HL7_EXAMPLES, IDS } from './hl7-admin.examples.js';
import {
  DESTINATION_CHANGE,
  LISTENER_CHANGE,
  NEW_DESTINATION,
  NEW_LISTENER,
  OF_ORGANIZATION,
  queueChoiceOf,
  REMOVAL_QUERY,
  type DestinationChangeInput,
  type ListenerChangeInput,
  type NewDestination,
  type NewListener,
  type RemovalQuery,
} from '../operations/hl7.schema.js';
import type { DestinationView, ListenerView } from '../operations/hl7.views.js';
import type { LineReport } from '../../../../standards/hl7v2/mllp/probe-line.js';
import type { RemovedQueue } from '../../../../exits/mllp/destinations/destination-removal.js';
import { PeerOperationsFactory } from '../operations/peer-operations.factory.js';

interface Listing<T> {
  readonly items: readonly T[];
}

const OWNED = { organizationId: 'Of this organization only' } as const;

/** Listeners and destinations of HL7 v2, for operators. */
@AdminRoute()
@Controller('admin/v1/hl7')
export class Hl7PeersController {
  constructor(private readonly operations: PeerOperationsFactory) {}

  @Post('listeners')
  @HttpCode(201)
  @NeedsRole('integrator', IN_BODY)
  @DescribesAdmin({
    operationId: 'createHl7Listener',
    summary: 'Take an organization’s messages over MLLP; served within 5 seconds',
    body: NEW_LISTENER,
    example: HL7_EXAMPLES.newListener,
    inPath: {},
    status: 201,
    answer: HL7_EXAMPLES.listener,
    refusals: ['organization.not_found', 'hl7.name_taken', 'hl7.port_taken'],
  })
  createListener(
    @CurrentOperator() operator: Operator,
    @JsonBody(NEW_LISTENER) input: NewListener,
  ): Promise<ListenerView> {
    return this.operations.of(operator).createListener(input);
  }

  @Get('listeners')
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listHl7Listeners',
    summary: 'List listeners',
    query: OWNED,
    status: 200,
    answer: { items: [HL7_EXAMPLES.listener] },
  })
  async listListeners(
    @CurrentOperator() operator: Operator,
    @QueryInput(OF_ORGANIZATION) { organizationId }: { organizationId?: string },
  ): Promise<Listing<ListenerView>> {
    return { items: await this.operations.of(operator).listListeners(organizationId ?? null) };
  }

  @Get('listeners/:listenerId')
  @NeedsRole('viewer', ownerInPath('listener'))
  @DescribesAdmin({
    operationId: 'readHl7Listener',
    summary: 'One listener with its settings',
    inPath: { listenerId: IDS.listener },
    status: 200,
    answer: HL7_EXAMPLES.listener,
    refusals: ['hl7.listener_not_found'],
  })
  listener(@CurrentOperator() operator: Operator, @Param('listenerId') listenerId: string): Promise<ListenerView> {
    return this.operations.of(operator).listener(listenerId);
  }

  @Patch('listeners/:listenerId')
  @NeedsRole('integrator', ownerInPath('listener'))
  @DescribesAdmin({
    operationId: 'changeHl7Listener',
    summary: 'Change, pause or resume a listener; followed within 5 seconds',
    body: LISTENER_CHANGE,
    example: HL7_EXAMPLES.listenerChange,
    inPath: { listenerId: IDS.listener },
    status: 200,
    answer: HL7_EXAMPLES.listener,
    refusals: ['hl7.listener_not_found', 'hl7.name_taken', 'hl7.port_taken'],
  })
  changeListener(
    @CurrentOperator() operator: Operator,
    @Param('listenerId') listenerId: string,
    @JsonBody(LISTENER_CHANGE) change: ListenerChangeInput,
  ): Promise<ListenerView> {
    return this.operations.of(operator).changeListener(listenerId, change);
  }

  @Delete('listeners/:listenerId')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('listener'))
  @DescribesAdmin({
    operationId: 'deleteHl7Listener',
    summary: 'Take no further messages; closed within 5 seconds',
    inPath: { listenerId: IDS.listener },
    status: 204,
    answer: null,
    refusals: ['hl7.listener_not_found'],
  })
  deleteListener(@CurrentOperator() operator: Operator, @Param('listenerId') listenerId: string): Promise<void> {
    return this.operations.of(operator).deleteListener(listenerId);
  }

  @Post('destinations')
  @HttpCode(201)
  @NeedsRole('integrator', IN_BODY)
  @DescribesAdmin({
    operationId: 'createHl7Destination',
    summary: 'Send an organization’s results as ORU^R01',
    body: NEW_DESTINATION,
    example: HL7_EXAMPLES.newDestination,
    inPath: {},
    status: 201,
    answer: HL7_EXAMPLES.destination,
    refusals: ['organization.not_found', 'hl7.name_taken'],
  })
  createDestination(
    @CurrentOperator() operator: Operator,
    @JsonBody(NEW_DESTINATION) input: NewDestination,
  ): Promise<DestinationView> {
    return this.operations.of(operator).createDestination(input);
  }

  @Get('destinations')
  @NeedsRole('viewer', IN_QUERY)
  @DescribesAdmin({
    operationId: 'listHl7Destinations',
    summary: 'List destinations',
    query: OWNED,
    status: 200,
    answer: { items: [HL7_EXAMPLES.destination] },
  })
  async listDestinations(
    @CurrentOperator() operator: Operator,
    @QueryInput(OF_ORGANIZATION) { organizationId }: { organizationId?: string },
  ): Promise<Listing<DestinationView>> {
    return { items: await this.operations.of(operator).listDestinations(organizationId ?? null) };
  }

  @Get('destinations/:destinationId')
  @NeedsRole('viewer', ownerInPath('destination'))
  @DescribesAdmin({
    operationId: 'readHl7Destination',
    summary: 'One destination with its settings',
    inPath: { destinationId: IDS.destination },
    status: 200,
    answer: HL7_EXAMPLES.destination,
    refusals: ['hl7.destination_not_found'],
  })
  destination(
    @CurrentOperator() operator: Operator,
    @Param('destinationId') destinationId: string,
  ): Promise<DestinationView> {
    return this.operations.of(operator).destination(destinationId);
  }

  @Patch('destinations/:destinationId')
  @NeedsRole('integrator', ownerInPath('destination'))
  @DescribesAdmin({
    operationId: 'changeHl7Destination',
    summary: 'Change, pause or resume a destination; what waits goes where it points now',
    body: DESTINATION_CHANGE,
    example: HL7_EXAMPLES.destinationChange,
    inPath: { destinationId: IDS.destination },
    status: 200,
    answer: HL7_EXAMPLES.destination,
    refusals: ['hl7.destination_not_found', 'hl7.name_taken'],
  })
  changeDestination(
    @CurrentOperator() operator: Operator,
    @Param('destinationId') destinationId: string,
    @JsonBody(DESTINATION_CHANGE) change: DestinationChangeInput,
  ): Promise<DestinationView> {
    return this.operations.of(operator).changeDestination(destinationId, change);
  }

  @Post('destinations/:destinationId/test')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('destination'))
  @DescribesAdmin({
    operationId: 'testHl7Destination',
    summary: 'Connect to a destination and hang up; nothing is sent',
    inPath: { destinationId: IDS.destination },
    status: 200,
    answer: HL7_EXAMPLES.line,
    refusals: ['hl7.destination_not_found'],
  })
  testDestination(
    @CurrentOperator() operator: Operator,
    @Param('destinationId') destinationId: string,
  ): Promise<LineReport> {
    return this.operations.of(operator).testDestination(destinationId);
  }

  @Delete('destinations/:destinationId')
  @NeedsRole('integrator', ownerInPath('destination'))
  @DescribesAdmin({
    operationId: 'deleteHl7Destination',
    summary: 'Send nothing further; what waits is parked, discarded or moved',
    query: {
      queue: 'park, discard or move: what becomes of the messages that wait or are parked; needed where there are any',
      to: 'With queue=move: the destination that they go to',
    },
    inPath: { destinationId: IDS.destination },
    status: 200,
    answer: HL7_EXAMPLES.removed,
    refusals: ['hl7.destination_not_found', 'hl7.queue_not_empty'],
  })
  deleteDestination(
    @CurrentOperator() operator: Operator,
    @Param('destinationId') destinationId: string,
    @QueryInput(REMOVAL_QUERY) query: RemovalQuery,
  ): Promise<RemovedQueue> {
    return this.operations.of(operator).deleteDestination(destinationId, queueChoiceOf(query));
  }
}
