import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AdminRoute, DescribesAdmin } from '../../identity/index.js';
import { JsonBody, QueryInput } from '../../platform/http/zod.pipe.js';
import { HL7_EXAMPLES, IDS } from './hl7-admin.examples.js';
import { Hl7Desk } from './hl7-desk.js';
import { NEW_DESTINATION, NEW_LISTENER, OF_ORGANIZATION, type NewDestination, type NewListener } from './hl7.schema.js';
import type { DestinationView, ListenerView } from './hl7.views.js';

interface Listing<T> {
  readonly items: readonly T[];
}

const OWNED = { organizationId: 'Of this organization only' } as const;

/** Who sends HL7 v2 to us, and who we send it to, for the operator. */
@AdminRoute()
@Controller('admin/v1/hl7')
export class Hl7PeersController {
  constructor(private readonly desk: Hl7Desk) {}

  @Post('listeners')
  @HttpCode(201)
  @DescribesAdmin({ operationId: 'createHl7Listener', summary: 'Take an organization’s messages over MLLP; served within 5 seconds', body: NEW_LISTENER, example: HL7_EXAMPLES.newListener, inPath: {}, status: 201, answer: HL7_EXAMPLES.listener, refusals: ['organization.not_found', 'hl7.name_taken', 'hl7.port_taken'] })
  createListener(@JsonBody(NEW_LISTENER) wish: NewListener): Promise<ListenerView> {
    return this.desk.createListener(wish);
  }

  @Get('listeners')
  @DescribesAdmin({ operationId: 'listHl7Listeners', summary: 'List listeners', query: OWNED, status: 200, answer: { items: [HL7_EXAMPLES.listener] } })
  async listListeners(@QueryInput(OF_ORGANIZATION) { organizationId }: { organizationId?: string }): Promise<Listing<ListenerView>> {
    return { items: await this.desk.listListeners(organizationId ?? null) };
  }

  @Delete('listeners/:listenerId')
  @HttpCode(204)
  @DescribesAdmin({ operationId: 'deleteHl7Listener', summary: 'Take no further messages; closed within 5 seconds', inPath: { listenerId: IDS.listener }, status: 204, answer: null, refusals: ['hl7.listener_not_found'] })
  deleteListener(@Param('listenerId') listenerId: string): Promise<void> {
    return this.desk.deleteListener(listenerId);
  }

  @Post('destinations')
  @HttpCode(201)
  @DescribesAdmin({ operationId: 'createHl7Destination', summary: 'Send an organization’s results as ORU^R01', body: NEW_DESTINATION, example: HL7_EXAMPLES.newDestination, inPath: {}, status: 201, answer: HL7_EXAMPLES.destination, refusals: ['organization.not_found', 'hl7.name_taken'] })
  createDestination(@JsonBody(NEW_DESTINATION) wish: NewDestination): Promise<DestinationView> {
    return this.desk.createDestination(wish);
  }

  @Get('destinations')
  @DescribesAdmin({ operationId: 'listHl7Destinations', summary: 'List destinations', query: OWNED, status: 200, answer: { items: [HL7_EXAMPLES.destination] } })
  async listDestinations(@QueryInput(OF_ORGANIZATION) { organizationId }: { organizationId?: string }): Promise<Listing<DestinationView>> {
    return { items: await this.desk.listDestinations(organizationId ?? null) };
  }

  @Delete('destinations/:destinationId')
  @HttpCode(204)
  @DescribesAdmin({ operationId: 'deleteHl7Destination', summary: 'Send nothing further; what was not delivered stays', inPath: { destinationId: IDS.destination }, status: 204, answer: null, refusals: ['hl7.destination_not_found'] })
  deleteDestination(@Param('destinationId') destinationId: string): Promise<void> {
    return this.desk.deleteDestination(destinationId);
  }
}
