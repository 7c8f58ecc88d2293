import type { Bundle } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { HeldResolution } from '../../../core/held/held-item.js';
import { Logger } from '../../../platform/logging/logger.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { readShape } from '../bundle/bundle-shape.js';
import { toResponseEntry } from '../bundle/entry-answer.js';
import { DISCARDED, placeOfFault, type HeldTransaction } from '../bundle/held-bundles.js';
import { shownBy } from '../bundle/transaction-bundle.js';
import { TransactionPerformer } from '../bundle/transaction-performer.js';
import { asAnother, withMade } from './another-patient.js';
import { SettledRequests, type SettledRequest } from './settled-requests.js';

/** Kinds of refusals that a later try may not meet. */
const PASSING: readonly SuturaError['kind'][] = ['internal', 'unavailable', 'storage_full', 'limited', 'timed_out'];

/** Another process did it meanwhile. */
class AlreadyDone extends Error {}

/** Does transactions that waited, once a person has decided. */
@Injectable()
export class SettledBundles extends DomainEventHandler {
  readonly name = 'fhir-settled';
  readonly kinds: readonly DomainEventKind[] = ['held.settled'];

  constructor(
    private readonly settled: SettledRequests,
    private readonly validator: ResourceValidator,
    private readonly performer: TransactionPerformer,
    private readonly audit: FhirAudit,
    private readonly address: PublicAddress,
    private readonly logger: Logger,
  ) {
    super();
  }

  async handle(event: DeliveredEvent): Promise<void> {
    const found = await this.settled.find(event);
    if (found === null) return;
    if (found.resolution.action === 'discard')
      return this.settled.refuse(event, { code: 'identity.conflict', detail: DISCARDED });
    const { record: held, patch } = found.request.content as HeldTransaction;
    try {
      await this.perform(event, found, await this.bundleOf(event, found));
    } catch (fault) {
      if (fault instanceof AlreadyDone) return;
      if (!(fault instanceof SuturaError) || PASSING.includes(fault.kind)) throw fault;
      // The record changed while its patch was made anew: once more.
      if (patch !== undefined && fault.code === 'fhir.version_conflict') throw fault;
      const { record } = fault.facts;
      if (fault.code === 'identity.conflict' && record !== undefined && record !== held)
        return this.settled.holdAgain(event, found, await this.contentAgain(event, found, record, fault));
      this.logger.warn('held.request_refused', { heldId: event.subjectId, code: fault.code });
      await this.settled.refuse(event, fault);
    }
  }

  private async perform(
    { subjectId }: DeliveredEvent,
    { request: { caller, content }, resolution }: SettledRequest,
    bundle: Bundle,
  ): Promise<void> {
    const shaped = await readShape(caller, bundle, this.validator);
    const asked = {
      base: this.base,
      requestId: subjectId,
      strict: false,
      quota: 'wait',
      confirmsIdentity: confirmedBy(content as HeldTransaction, resolution),
    } as const;
    await this.performer.perform(caller, asked, shaped, async (call, run) => {
      if (!(await this.settled.claim(call.transaction, subjectId))) throw new AlreadyDone();
      const performed = await run();
      await this.audit.record(call, 'transaction', { resources: performed.flatMap(({ answer }) => shownBy(answer)) });
      const entry = performed.map(({ entry: of, answer }) => ({
        response: toResponseEntry(of, answer, 'minimal', caller).response,
      }));
      await this.settled.finish(call.transaction, subjectId, {
        kind: 'done',
        bundle: { resourceType: 'Bundle', type: 'transaction-response', entry },
      });
    });
  }

  /** What waits of the same transaction for another record. */
  private async contentAgain(
    event: DeliveredEvent,
    found: SettledRequest,
    record: string,
    fault: SuturaError,
  ): Promise<HeldTransaction> {
    const at = placeOfFault(fault);
    const again = { bundle: await this.bundleOf(event, found), record, ...(at === null ? {} : { at }) };
    const made = await this.settled.made(event.tenant, again);
    return {
      ...again,
      ...(made === undefined ? {} : { made }),
      confirmed: confirmedBy(found.request.content as HeldTransaction, found.resolution),
    };
  }

  private get base(): string {
    return `${this.address.url}/fhir`;
  }

  /** The transaction as it is to be done; a patch counts for the record as it is now. */
  private async bundleOf(
    { tenant }: DeliveredEvent,
    { request, resolution: { action, authority } }: SettledRequest,
  ): Promise<Bundle> {
    const { bundle, record, patch, made, at } = request.content as HeldTransaction;
    if (action === 'another' && authority !== undefined)
      return asAnother(withMade(bundle, made), { record, authority, base: this.base, at });
    return patch === undefined ? bundle : this.settled.patched(tenant, record, patch);
  }
}

/** The records of which a person has said that they are the same: of several in a transaction each is decided about by itself. */
function confirmedBy({ record, confirmed = [] }: HeldTransaction, { action }: HeldResolution): readonly string[] {
  return action === 'same' ? [...confirmed, record] : confirmed;
}
