import { Injectable } from '@nestjs/common';
import { isWithdrawn, type FiledPart, type FiledResource } from '../dialects/filing.js';
import { FiledLedger, type LedgerEntry } from '../queue/filed-ledger.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { isBy, lookedFor, termsOf, withoutUndoing, type OpenWrite } from '../queue/open-writes.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { Holds } from './held-back.js';
import { Looks } from './looks.js';
import { hasBeenEnded, isInError } from './read-resources.js';
import { firstOf, type Setback } from './refusals.js';
import { UnknownResources, type Left } from './unknown-resources.js';
import { isMarked, type VersionToFile } from './report-facts.js';
import { subjectOf } from './subject.js';

/** What stands in an EHR of a report: by the ledger, by a look where that does not know, and in whose chart. */
@Injectable()
export class Standings {
  constructor(
    private readonly ledger: FiledLedger,
    private readonly looks: Looks,
    private readonly unknownResources: UnknownResources,
  ) {}

  /**
   * Of earlier versions of the part, each resource once, oldest first. `today`: who has the patient's number now; null: nobody, or several.
   * `ehr_outcome_unknown`, `ehr_patient_changed`, `ehr_duplicate`; TransientError while a write of theirs may be carried out yet. What marks what stands
   * is given them beside the rest.
   */
  async before(part: FiledPart, round: VersionToFile, today: string | null, turn: FilingTurn): Promise<Standing> {
    const { id: reportId, version } = round.local.report;
    const holds = new Holds(isMarked(part, round));
    const standing = new Map<string, FiledResource>();
    const { entries, begun } = await this.ledger.before(turn.ehr.id, { part, reportId, version });
    turn.marks.sawBefore(begun);
    const beside = new Set<string>();
    for (const [place, entry] of entries.entries()) {
      const after = entries.slice(place + 1);
      const later = after.flatMap(({ filed }) => filed);
      const then = { ...entry, open: openOf(entry, after, turn) };
      for (const one of await this.unknownResources.of(then, round, [...standing.values()], { today, turn, holds })) {
        const key = `${one.type}/${one.id}`;
        if (isBeside(one, later)) beside.add(key);
        // Newer ones come last, as nothing is held back that was filed later.
        standing.delete(key);
        if (one.ended === 'entered-in-error') continue;
        const version = one.version ?? entry.version;
        standing.set(key, { ...one, isSuperseded: one.ended === 'superseded', version });
        const { isFound, ...kept } = one;
        if (isFound === true) turn.marks.adopted({ ...kept, version });
      }
    }
    // What is gone keeps nothing else from being taken back.
    const gone = new Holds(isWithdrawn(round.local.report) ? 'ehr_removed_there' : holds.areCollected);
    const charted: (FiledResource | null)[] = [];
    const newest = new Map([...standing.values()].filter((one) => !one.isSuperseded).map((one) => [one.part, one]));
    for (const one of standing.values()) {
      const isNewest = newest.get(one.part) === one;
      charted.push(await holds.collect(() => gone.collect(() => this.charted(one, round, today, turn, isNewest))));
    }
    const up = charted.filter((one) => one !== null);
    if (holds.areCollected === false) await this.requireAlone(beside, up, turn);
    const met = [holds.first, gone.first].filter((one) => one !== null);
    return { standing: up, held: firstOf(met) };
  }

  /** A later version was filed without knowing of it, and both stand. `ehr_duplicate`. */
  private async requireAlone(
    beside: ReadonlySet<string>,
    all: readonly FiledResource[],
    turn: FilingTurn,
  ): Promise<void> {
    const up = all.filter(({ isSuperseded, isInError: isWrong }) => !isSuperseded && isWrong !== true);
    for (const one of up.filter(({ type, id }) => beside.has(`${type}/${id}`))) {
      if (up.every((other) => other === one || other.part !== one.part)) continue;
      const present = await this.looks.read(one.type, one.id, turn);
      if (present !== null && !hasBeenEnded(present)) throw new HeldError('ehr_duplicate');
    }
  }

  /** What attempts of this delivery left in another chart than the one where it goes now, or by other settings. As `before`. */
  async elsewhere(
    part: FiledPart,
    round: VersionToFile,
    before: readonly FiledResource[],
    patient: string,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    const { open: writes, filed: kept } = turn.earlier;
    const own = kept.filter((one) => one.version === undefined);
    const filed = own.filter((one) => one.patient !== patient && one.ended === undefined);
    const terms = termsOf(turn.ehr.push);
    const isOtherwise = (one: OpenWrite): boolean =>
      one.kind !== 'change' && one.terms !== undefined && !isBy(one, terms);
    const open = writes.filter((one) => one.patient !== null && (one.patient !== patient || isOtherwise(one)));
    const { version } = round.local.report;
    const entry = { part, version, filed, open, isDiscarded: false, isFiled: false };
    const left: KeptResource[] = [];
    const asked = { today: patient, turn, holds: new Holds(false) };
    for (const { isFound = false, ...one } of await this.unknownResources.of(entry, round, before, asked)) {
      // Something that this service does not know of has taken its place.
      if (isFound && one.ended === 'superseded') throw new HeldError('ehr_changed_there');
      const there = await this.charted({ ...one, version, isSuperseded: false }, round, patient, turn);
      if (there === null) continue;
      if (filed.every(({ id }) => id !== one.id)) turn.marks.found(one.patient);
      left.push({ ...one, patient: there.patient });
    }
    return left;
  }

  /**
   * The resource with the chart that it is in now; null: nothing is to be done about it. A correction in another chart would leave what it corrects
   * where it is wrong; a withdrawal goes to where it is.
   */
  private async charted(
    one: FiledResource,
    { local, ehr }: VersionToFile,
    today: string | null,
    turn: FilingTurn,
    isNewest = true,
  ): Promise<FiledResource | null> {
    const present = await this.looks.read(one.type, one.id, turn);
    // A correction takes the place of the newest alone.
    if (present === null && !isNewest && !isWithdrawn(local.report)) return null;
    // What is there no more may be out of our sight alone, or not shown yet: a person says what stands.
    if (present === null) throw new HeldError('ehr_removed_there');
    const subject = subjectOf(present, ehr);
    // Whoever has looked had it entered in error, or saw that it is.
    if (isInError(present) && turn.wasAskedAnew && !isWithdrawn(local.report)) return null;
    if (subject === today && one.patient === today) return { ...one, isInError: isInError(present) };
    if (isInError(present)) turn.marks.forget(one);
    if (isInError(present)) return null;
    // The EHR has joined the two records, and says so by the resource.
    if (subject !== null && subject === today) return { ...one, patient: subject };
    if (isWithdrawn(local.report) && subject === one.patient) return one;
    throw new HeldError('ehr_patient_changed');
  }
}

/** What stands, and why there may be more of it. */
export interface Standing {
  readonly standing: readonly FiledResource[];
  /** null: nothing is in doubt. */
  readonly held: Setback | null;
}

/** Its writes as this turn has to do with them: a person may have looked for them, and a version that was filed since has waited for what it might have undone. */
function openOf({ open }: LedgerEntry, after: readonly LedgerEntry[], { askedAtMs }: FilingTurn): readonly OpenWrite[] {
  const left = after.some(({ isFiled }) => isFiled) ? withoutUndoing(open) : open;
  return askedAtMs === null ? left : lookedFor(left, askedAtMs);
}

/** A later version was filed as the same part, and knew nothing of it. */
function isBeside({ part, type, id, isFound }: Left, later: readonly KeptResource[]): boolean {
  const isKnown = later.some((one) => one.type === type && one.id === id);
  return isFound === true && !isKnown && later.some((one) => one.part === part && one.version === undefined);
}
