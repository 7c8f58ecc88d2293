import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  DeliveryFilter,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
  FoundDelivery,
} from '../../../../core/deliveries/delivery-exit.js';
import type { ErrorCode } from '../../../../core/errors/catalogue.js';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import type { Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import { readdress } from '../../../../exits/mllp/oru/readdress.js';
import { OutboundControl } from '../../../../exits/mllp/outbox/outbound-control.js';
import {
  actsOf,
  attemptsOf,
  OUTBOUND_STATES,
  type OutboundRecord,
  type OutboundState,
} from '../../../../exits/mllp/outbox/outbound-message.js';
import {
  OutboundQueries,
  type ReceiverOutage,
  type OutboundFilter,
} from '../../../../exits/mllp/outbox/outbound-queries.js';
import { DestinationTest } from '../../../../exits/mllp/sender/destination-test.js';
import { textOf } from './hl7.views.js';

const PAGE = 500;

/** HL7 v2 destinations and what goes out to them, in the words of all exits; `hl7 …` says more of them. */
@Injectable()
export class DestinationExit implements DeliveryExit {
  readonly name = 'hl7';

  constructor(
    private readonly destinations: DestinationRegister,
    private readonly outbox: OutboundQueries,
    private readonly control: OutboundControl,
    private readonly trial: DestinationTest,
  ) {}

  async endpoint(id: string): Promise<ExitEndpoint | null> {
    const found = await orNull(['hl7.destination_not_found'], () => this.destinations.find(id));
    if (found === null) return null;
    return this.endpointOf(found, (await this.outbox.failing()).get(id));
  }

  async endpoints({ organizationId, environment }: EndpointFilter): Promise<ExitEndpoint[]> {
    const [all, failing] = await Promise.all([this.destinations.all(), this.outbox.failing()]);
    return all
      .filter(
        (one) =>
          (organizationId === undefined || one.organizationId === organizationId) &&
          (environment === undefined || one.environment === environment),
      )
      .map((one) => this.endpointOf(one, failing.get(one.id)));
  }

  async named(id: string): Promise<ExitDelivery | null> {
    const found = await orNull(['hl7.message_not_found'], () => this.outbox.find(id));
    return found === null ? null : this.shown(found.record);
  }

  /** `hl7.sealed`. */
  async find(id: string): Promise<FoundDelivery | null> {
    const found = await orNull(['hl7.message_not_found'], () => this.outbox.show(id));
    if (found === null) return null;
    const { record, bytes } = found;
    const { state, ackCode, deliveredAt, history } = record;
    const before = attemptsOf(history).map(({ at, what, answer, fault }) => ({
      at,
      delivered: what === 'delivered',
      answer,
      fault,
    }));
    const last =
      state === 'delivered' && deliveredAt !== null
        ? [{ at: deliveredAt, delivered: true, answer: ackCode, fault: null }]
        : [];
    return { delivery: this.shown(record), body: textOf(bytes), log: [...before, ...last], acts: actsOf(history) };
  }

  async list(
    { endpointId, organizationId, environment, state }: DeliveryFilter,
    limit: number,
  ): Promise<ExitDelivery[]> {
    if (state !== undefined && !isState(state)) return [];
    const found = await this.outbox.list({ destinationId: endpointId, organizationId, environment, state }, limit);
    return found.map((record) => this.shown(record));
  }

  /** `hl7.superseded`, `hl7.not_parked`, `hl7.in_progress`, `hl7.sealed`, `hl7.destination_deleted`. */
  async replay(delivery: ExitDelivery, by: string): Promise<void> {
    await (delivery.state === 'parked' ? this.requeue(delivery, by) : this.control.replay(delivery.id, by));
  }

  /** As `replay`; `hl7.not_parked` where it is no longer as it was found. */
  async requeue({ id, endpointId, attempts }: ExitDelivery, by: string): Promise<null> {
    const destination = await orNull(['hl7.destination_not_found'], () => this.destinations.find(endpointId));
    if (destination === null) throw new SuturaError('hl7.destination_deleted');
    const { record } = await this.outbox.find(id);
    await this.control.requeueAsFound({ id, attempts }, by, (bytes) => readdress(bytes, destination, record.controlId));
    return null;
  }

  /** Superseded and sealed messages are passed over. */
  async replayRange({ id: destinationId }: ExitEndpoint, by: string, from: Date, to: Date | null): Promise<number> {
    const range = { destinationId, from, ...(to === null ? {} : { to }) };
    const found: OutboundRecord[] = [];
    for (const state of ['delivered', 'parked'] as const)
      for (let page = await this.page({ ...range, state }, null); page.length > 0;) {
        found.push(...page);
        page = page.length < PAGE ? [] : await this.page({ ...range, state }, page.at(-1)!.id);
      }
    let replayed = 0;
    for (const record of found.sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const passed = await orNull(['hl7.superseded', 'hl7.sealed', 'hl7.not_parked', 'hl7.in_progress'], async () => {
        await this.replay(this.shown(record), by);
        return true;
      });
      if (passed !== null) replayed += 1;
    }
    return replayed;
  }

  /** `hl7.not_waiting`. */
  park({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.park(id, by);
  }

  /** `hl7.not_parked`. */
  discard({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.discard(id, by);
  }

  async pause({ id }: ExitEndpoint): Promise<void> {
    await this.destinations.change(id, { enabled: false });
  }

  async resume({ id }: ExitEndpoint): Promise<void> {
    await this.destinations.change(id, { enabled: true });
  }

  async test({ id }: ExitEndpoint): Promise<EndpointTrial> {
    const { reached, fault } = await this.trial.run(await this.destinations.find(id));
    return { reached, said: fault ?? 'connected' };
  }

  private page(filter: OutboundFilter, after: string | null): Promise<OutboundRecord[]> {
    return this.outbox.list(filter, PAGE, after);
  }

  private endpointOf(destination: Hl7Destination, failing: ReceiverOutage | undefined): ExitEndpoint {
    const { id, organizationId, environment, enabled, settings } = destination;
    const owned = { id, organizationId, environment, exit: this.name, address: `${settings.host}:${settings.port}` };
    if (!enabled)
      return {
        ...owned,
        state: 'paused',
        trouble: 'It is held back by a person. What is made waits until it is resumed.',
      };
    if (failing === undefined) return { ...owned, state: 'active' };
    const said = failing.said === null ? '' : ` (${failing.said})`;
    const trouble = `Its receiver has not taken what waits for it${said}. It is tried again; test the connection, and look at what waits.`;
    return { ...owned, state: 'active', trouble, failingSince: failing.since };
  }

  private shown(record: OutboundRecord): ExitDelivery {
    const { id, destinationId, organizationId, environment, kind, state, attempts, createdAt, nextAt, deliveredAt } =
      record;
    return {
      id,
      exit: this.name,
      endpointId: destinationId,
      organizationId,
      environment,
      type: kind,
      state,
      attempts,
      fault: state === 'delivered' ? null : (record.fault ?? record.applicationCode ?? record.ackCode),
      createdAt,
      nextAt: state === 'waiting' ? nextAt : null,
      deliveredAt,
    };
  }
}

function isState(text: string): text is OutboundState {
  return (OUTBOUND_STATES as readonly string[]).includes(text);
}

async function orNull<T>(codes: readonly ErrorCode[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (fault) {
    if (isSuturaError(fault, ...codes)) return null;
    throw fault;
  }
}
