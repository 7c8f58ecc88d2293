import type { Wound } from '../followup/wound.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ReportSeries } from '../report/report-series.js';
import { BirthDateChange } from './birth-date-change.js';
import type { PatientIdentifier } from '../patients/patient.js';

export interface PatientMergePorts {
  readonly patients: PatientRepository;
  readonly wounds: WoundRepository;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly ids: IdSource;
}

/** Two records of one person, by what they are known by; the main identifier first. */
export interface PatientJoin {
  readonly survivor: readonly PatientIdentifier[];
  readonly prior: readonly PatientIdentifier[];
}

/** The rows of a join. */
export interface JoinedRows {
  readonly survivorId: string;
  /** Empty: they are one row already. */
  readonly priorIds: readonly string[];
  /** The identifier under which the survivor's wounds are filed. */
  readonly name: PatientIdentifier;
}

/** Joins records of one person at the request of the system that keeps them; never by itself. */
export class PatientMergeService {
  private readonly births: BirthDateChange;

  constructor(
    private readonly ports: PatientMergePorts,
    private readonly series: ReportSeries,
  ) {
    this.births = new BirthDateChange(ports);
  }

  /**
   * The rows of a join, created if unknown, locked until the transaction ends. null: the survivor's identifiers belong to different patients, or a side has no identifier.
   */
  async resolve(transaction: TenantTransaction, { survivor, prior }: PatientJoin): Promise<JoinedRows | null> {
    const [name] = survivor;
    if (name === undefined || prior.length === 0) return null;
    const carriers = await this.ports.patients.claim(transaction, [...survivor, ...prior]);
    const [standing, ending] = [carriers.slice(0, survivor.length), distinct(carriers.slice(survivor.length))];
    const survivorId = await this.survivorOf(transaction, survivor, standing, ending);
    if (distinct(standing).some((id) => id !== survivorId && !ending.includes(id))) return null;
    const known = new Set<string>([survivorId, ...ending]);
    const unknown = prior.filter((_, at) => carriers[survivor.length + at] === null);
    // A patient only the sender knew: kept as merged, so that requests for it are redirected.
    if (ending.length === 0)
      known.add((await this.ports.patients.register(transaction, unknown, this.ports.ids.next()))!);
    else await this.ports.patients.extend(transaction, ending[0]!, unknown);
    await this.ports.patients.extend(
      transaction,
      survivorId,
      survivor.filter((_, at) => standing[at] === null),
    );
    return { survivorId, priorIds: [...known].filter((id) => id !== survivorId), name };
  }

  /**
   * Joins the rows: identifiers, photos, jobs and wounds of the prior records are the survivor's. Wounds of one number become one series. Reports
   * whose content changes by it get a further version with the reason `moved`.
   */
  async join(transaction: TenantTransaction, { survivorId, priorIds, name }: JoinedRows): Promise<void> {
    for (const priorId of priorIds) {
      await this.ports.patients.absorb(transaction, priorId, survivorId);
      const roots = await this.moveWounds(transaction, priorId, survivorId, name);
      for (const root of roots) await this.series.settle(transaction, root, null, 'moved');
    }
    // Their records say only after it how old the patient was on photos of either.
    if (priorIds.length > 0) await this.births.tell(transaction, survivorId);
  }

  /** The patient of the main identifier; else the patient of another one that does not end by this join; else a new patient. */
  private async survivorOf(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
    standing: readonly (string | null)[],
    ending: readonly string[],
  ): Promise<string> {
    const known = standing[0] ?? standing.find((id) => id !== null && !ending.includes(id));
    if (known !== null && known !== undefined) return known;
    const unclaimed = identifiers.filter((_, at) => standing[at] === null);
    return (await this.ports.patients.register(transaction, unclaimed, this.ports.ids.next()))!;
  }

  /** The series that are changed by it. */
  private async moveWounds(
    transaction: TenantTransaction,
    priorId: string,
    survivorId: string,
    name: PatientIdentifier,
  ): Promise<Wound[]> {
    const { wounds } = this.ports;
    const before = await this.withNamesakes(transaction, priorId, survivorId);
    const concerned = before.flatMap(({ wound, namesake }) => [wound, ...(namesake === null ? [] : [namesake])]);
    const rootIds = new Set<string>();
    for (const { id } of concerned) rootIds.add((await wounds.rootOf(transaction, id)).id);
    // Always in the same order, as for every merge of wounds.
    for (const id of [...rootIds].sort()) await wounds.lockRoot(transaction, id);
    const moved = await this.withNamesakes(transaction, priorId, survivorId);
    for (const { wound, namesake } of moved)
      await wounds.assign(transaction, wound.id, { patientId: survivorId, patient: name, named: namesake === null });
    for (const { wound, namesake } of moved)
      if (namesake !== null) await this.joinWounds(transaction, wound.id, namesake.id);
    const roots = new Map<string, Wound>();
    for (const { wound } of moved) {
      const root = await wounds.rootOf(transaction, wound.id);
      roots.set(root.id, root);
    }
    return [...roots.values()];
  }

  /** Wounds of the prior record, each with the wound that has the same number at the survivor. */
  private async withNamesakes(
    transaction: TenantTransaction,
    priorId: string,
    survivorId: string,
  ): Promise<{ wound: Wound; namesake: Wound | null }[]> {
    const pairs: { wound: Wound; namesake: Wound | null }[] = [];
    for (const wound of await this.ports.wounds.ofPatient(transaction, priorId)) {
      const { woundId, woundIdSystem } = wound;
      const namesake =
        woundId === null
          ? null
          : await this.ports.wounds.findByKey(transaction, { patientId: survivorId, woundIdSystem, woundId });
      pairs.push({ wound, namesake });
    }
    return pairs;
  }

  private async joinWounds(transaction: TenantTransaction, woundId: string, intoId: string): Promise<void> {
    const own = await this.ports.wounds.rootOf(transaction, woundId);
    const target = await this.ports.wounds.rootOf(transaction, intoId);
    if (own.id === target.id) return;
    await this.ports.wounds.update(transaction, own.id, { mergedInto: target.id });
    const event = {
      id: this.ports.ids.next(),
      woundId: own.id,
      decision: 'merged',
      otherWoundId: target.id,
      reviewer: null,
      note: null,
      reason: null,
      decidedAt: await this.ports.clinicalClock.now(transaction),
      enteredBy: null,
    } as const;
    await this.ports.wounds.record(transaction, event);
  }
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
