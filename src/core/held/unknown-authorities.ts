import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import { facilitySystem } from '../patients/authority-forms.js';
import type { AuthorityRepository, SharedNumber } from '../patients/authority.repository.js';
import type { SeparateRecords } from '../patients/authorities.service.js';
import type { JoinActor, JoinedAuthorities, PatientJoins } from '../patients/joined-authorities.js';
import type { Digest } from '../ports/digest.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import { NOTHING_CAME, type HeldActor, type HeldItem, type HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import { KeptHeldSource, refuseFields } from './kept-held-source.js';

const FACILITY_WAITS_FOR =
  'Whether the numbers of this sending facility are those of the listener’s first one: it brought a number that is known from there, of a person who may be the same. One answer counts for the facility from now on. Where a default authority was set for it meanwhile, answer own_authority: what waits is then read by that default.';
const RECORDS_WAIT_FOR =
  'Whether two records are one person: they have one number of one authority, and other birth dates or given names.';

export interface UnknownAuthoritiesPorts {
  readonly authorities: AuthorityRepository;
  readonly items: HeldItems;
  readonly joins: PatientJoins;
  readonly outbox: Outbox;
  readonly ids: IdSource;
  readonly digest: Digest;
  readonly unitOfWork: UnitOfWork;
}

/** A message of a facility whose numbers nobody has assigned to an authority yet. */
export interface UnsureMessage {
  readonly messageId: string;
  readonly sourceId: string;
  readonly facility: string;
  readonly patientId: string;
}

/** Numbers of which nobody knows whose they are: of a facility, or of two records that have one number. */
export class UnknownAuthorities extends KeptHeldSource implements SeparateRecords {
  constructor(
    private readonly ports: UnknownAuthoritiesPorts,
    private readonly joined: JoinedAuthorities,
  ) {
    super(['authority_unknown'], ports);
  }

  /** Holds a message until somebody has said whose the facility’s numbers are; answers the id of the one item that there is for it. */
  async hold(
    transaction: TenantTransaction,
    { messageId, sourceId, facility, patientId }: UnsureMessage,
  ): Promise<string> {
    const { authorities, items, ids } = this.ports;
    await authorities.lock(transaction, transaction.tenant.organizationId);
    const rows = (await authorities.numberings(transaction)).filter((row) => row.facility === facility);
    const standing = rows.find((row) => row.sourceId === sourceId);
    // Somebody has answered meanwhile: it is read once more.
    if (standing?.state !== 'unsettled' && standing?.state !== 'asked') throw new SuturaError('fhir.version_conflict');
    const held = await items.hold(
      transaction,
      {
        id: ids.next(),
        reason: 'authority_unknown',
        door: 'hl7v2',
        key: this.keyOf(['facility', facility]),
        came: { ...NOTHING_CAME, messageIds: [messageId], patientIds: [patientId] },
        waitsFor: FACILITY_WAITS_FOR,
        actions: ['same_authority', 'own_authority'],
      },
      null,
    );
    if (typeof held !== 'string') throw new SuturaError('fhir.version_conflict');
    const unasked = rows.filter(({ state }) => state === 'unsettled');
    for (const row of unasked) await authorities.setNumbering(transaction, { ...row, state: 'asked' }, held);
    if (unasked.length > 0) {
      await authorities.tell(transaction, transaction.tenant.organizationId);
    }
    return held;
  }

  async ask(transaction: TenantTransaction, { survivorId, priorId }: SharedNumber): Promise<void> {
    await this.ports.items.hold(
      transaction,
      {
        id: this.ports.ids.next(),
        reason: 'authority_unknown',
        door: 'hl7v2',
        key: this.keyOf(['records', survivorId, priorId]),
        came: { ...NOTHING_CAME, patientIds: [survivorId, priorId] },
        waitsFor: RECORDS_WAIT_FOR,
        actions: ['same', 'discard'],
      },
      null,
    );
  }

  /**
   * `same_authority`, `own_authority`: what the facility’s numbers are, for the messages that wait and all later ones. `same`: the two records are
   * joined; `discard`: they stay two.
   */
  async resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    refuseFields(resolution);
    const by: JoinActor = { name: actor.name, door: 'admin' };
    if (item.actions.includes('same')) return this.resolveRecords(tenant, item, resolution, { actor, by });
    const asked = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.authorities.askedBy(transaction, item.id),
    );
    if (asked === null) throw new SuturaError('held.not_found');
    const isSame = resolution.action === 'same_authority';
    const own = facilitySystem(asked);
    const { authorities } = this.ports;
    await this.joined.join(
      tenant,
      { system: '', others: isSame ? [own] : [], by },
      async (transaction) => {
        const rows = (await authorities.numberings(transaction)).filter(({ facility }) => facility === asked);
        for (const row of rows)
          await authorities.setNumbering(transaction, { ...row, state: isSame ? 'shared' : 'own' }, null);
        if (isSame) await authorities.setForms(transaction, null, '', [own]);
        await this.settle(transaction, item.id, resolution, actor);
      },
      (transaction, pair) => this.ask(transaction, pair),
    );
  }

  private async resolveRecords(
    tenant: Tenant,
    item: HeldItem,
    resolution: HeldResolution,
    { actor, by }: { readonly actor: HeldActor; readonly by: JoinActor },
  ): Promise<void> {
    const [survivorId, priorId] = item.came.patientIds;
    if (resolution.action === 'same' && survivorId !== undefined && priorId !== undefined)
      await this.ports.joins.join(tenant, { survivorId, priorId }, by, true);
    await this.ports.unitOfWork.inTenant(tenant, (transaction) => this.settle(transaction, item.id, resolution, actor));
  }

  private keyOf(parts: readonly string[]): Uint8Array {
    const text = new TextEncoder();
    return text.encode(this.ports.digest.sha256(text.encode(JSON.stringify(['authority', ...parts]))));
  }
}
