import type { BodyStructure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import type { WoundRelation } from '../../../core/followup/wound-relation.js';
import type { Reviewer } from '../../../core/followup/wound.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { hasScope } from '../../../core/tenancy/api-key.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { WoundRelationService } from '../../../core/wounds/wound-relation.service.js';
import { notPossible, OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import type { FhirCall } from '../call/fhir-call.js';
import { isAbout, RelationProjection, sentRelation, type SentRelation } from '../projection/relation-projection.js';
import { OrganizationZone } from '../search/organization-zone.js';

/** What its extension says, and where. */
interface PlacedRelation {
  readonly said: SentRelation;
  readonly place: string;
}

const TAKEN_BACK_BEFORE =
  'That relation was taken back, and is shown no longer. Where the wounds grew together or fell apart all the same, say so with another moment.';

/**
 * What grew together and what fell apart, as the BodyStructure of the whole says it. As with closings, leaving the extension out says nothing, nor does
 * repeating what was ever said: who keeps an older copy writes it back with every change.
 */
@Injectable()
export class WoundRelations {
  /** By transaction the wounds of which a relation is told that was taken back. */
  private readonly outdated = new WeakMap<TenantTransaction, Set<string>>();

  constructor(
    private readonly relations: WoundRelationService,
    private readonly shown: RelationProjection,
    private readonly zones: OrganizationZone,
  ) {}

  /** `fhir.business_rule` for an extension that says no relation. */
  check(resource: BodyStructure): void {
    for (const { said, place } of placedIn(resource)) {
      const time = ClinicalTime.read(said.at);
      if (said.kind === undefined || said.partIds.includes(''))
        throw notPossible(place, 'State the kind, joined or split, and each part as a BodyStructure of this server.');
      if (time === null || !(time.hasTimeOfDay || time.precision === 'day'))
        throw notPossible(place, 'State the day, or the moment, at which it was first seen, as at.');
    }
  }

  /** As `RelationProjection.complete`; notes for its sender what was taken back. */
  async complete(
    { transaction }: FhirCall,
    resource: BodyStructure,
    before: BodyStructure | null = null,
  ): Promise<BodyStructure> {
    const placed = placedIn(resource);
    const ever = placed.length === 0 ? [] : await this.shown.everOf(transaction, resource.id!);
    const timeZone = await this.zones.of(transaction);
    const isOutdated = placed.some(({ said }) => !said.isTakenBack && standingOf(said, ever, timeZone) === null);
    if (isOutdated) this.note(transaction, resource.id!);
    return this.shown.complete(transaction, resource, before);
  }

  /** Takes back what is said to be wrong, and then states what is said newly, oldest first. `auth.scope`; refusals as of the native door. */
  async apply(call: FhirCall, resource: BodyStructure): Promise<void> {
    const timeZone = await this.zones.of(call.transaction);
    for (const one of inTurn(placedIn(resource), timeZone)) {
      const ever = await this.shown.everOf(call.transaction, resource.id!);
      const standing = standingOf(one.said, ever, timeZone);
      // Taken back just now, beside this.
      if (standing === null && !one.said.isTakenBack) this.note(call.transaction, resource.id!);
      if (standing === null || (standing !== undefined && !one.said.isTakenBack)) continue;
      if (!hasScope(call.caller, 'analysis:review'))
        throw new SuturaError('auth.scope', {
          detail: 'What grew together or fell apart is stated with a key that has analysis:review.',
        });
      await this.state(call, resource.id!, one, standing);
    }
  }

  /** For who says a relation that was taken back. */
  advice({ transaction }: FhirCall, woundId: string): string[] {
    return this.outdated.get(transaction)?.has(woundId) === true ? [TAKEN_BACK_BEFORE] : [];
  }

  private async state(
    { transaction, caller }: FhirCall,
    wholeId: string,
    { said, place }: PlacedRelation,
    standing: WoundRelation | undefined,
  ): Promise<void> {
    const { note, by, isTakenBack, partIds } = said;
    const stated = { note, by, enteredBy: caller.person };
    if (standing !== undefined) {
      await this.relations.withdraw(transaction, wholeId, standing.id, { ...stated, ...withdrawalIn(said, standing) });
      return;
    }
    if (isTakenBack) throw notPossible(place, 'No such relation stands that could be taken back.');
    const at = ClinicalTime.read(said.at)!.spanIn(await this.zones.of(transaction)).low;
    try {
      await this.relations.relate(transaction, { ...stated, kind: said.kind!, wholeId, partIds, at });
    } catch (error) {
      throw placedAt(place, error);
    }
  }

  private note(transaction: TenantTransaction, woundId: string): void {
    const told = this.outdated.get(transaction) ?? new Set<string>();
    this.outdated.set(transaction, told.add(woundId));
  }
}

function placedIn({ extension = [] }: BodyStructure): PlacedRelation[] {
  return extension.flatMap((one, index) => {
    const said = sentRelation(one);
    return said === undefined ? [] : [{ said, place: `BodyStructure.extension[${index}]` }];
  });
}

/** What is taken back makes room for what is said in its place, and the older of two for the newer. */
function inTurn(placed: readonly PlacedRelation[], timeZone: string): PlacedRelation[] {
  const atOf = ({ said }: PlacedRelation) => ClinicalTime.read(said.at)!.spanIn(timeZone).low.getTime();
  return placed.toSorted(
    (one, other) => Number(other.said.isTakenBack) - Number(one.said.isTakenBack) || atOf(one) - atOf(other),
  );
}

/** What is shown of the relation comes back with it: whoever stated that did not take it back. */
function withdrawalIn({ note, by }: SentRelation, relation: WoundRelation): Pick<SentRelation, 'note' | 'by'> {
  return {
    note: note === relation.note ? null : note,
    by: by !== null && relation.by !== null && isSamePerson(by, relation.by) ? null : by,
  };
}

function isSamePerson(one: Reviewer, other: Reviewer): boolean {
  return one.id === other.id && one.name === other.name && one.system === other.system;
}

/** The relation that is meant, and stands; null: it was taken back; undefined: it was never said. */
function standingOf(
  said: SentRelation,
  ever: readonly WoundRelation[],
  timeZone: string,
): WoundRelation | null | undefined {
  const about = ever.filter((relation) => isAbout(said, relation, timeZone));
  return about.find(({ withdrawal }) => withdrawal === null) ?? (about.length === 0 ? undefined : null);
}

/** The refusal at the extension, in the words that the native door has for its field. */
function placedAt(place: string, error: unknown): unknown {
  if (!isSuturaError(error, 'wound.relation_refused') && !isSuturaError(error, 'capture.future')) return error;
  const details = (error.facts.errors ?? []).map(({ detail }) => `The relation ${detail}.`);
  return new OutcomeError(
    error.code,
    details.map((text) => ({ severity: 'error', code: 'business-rule', expression: place, details: text })),
  );
}
