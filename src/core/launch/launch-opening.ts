import type { AuditTrail } from '../audit/audit-trail.js';
import type { Ehr } from '../ehrs/ehr.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { ReportRepository } from '../report/report.repository.js';
import type { IssuedReviewLink, ReviewLinks } from '../report/review-links.js';
import type { Caller, RequestOrigin } from '../tenancy/api-key.js';
import type { LaunchContext } from './launch-context.js';
import type { LaunchedPatients } from './launched-patients.js';

export interface LaunchOpeningPorts {
  readonly unitOfWork: UnitOfWork;
  readonly wounds: Pick<WoundRepository, 'find' | 'rootOf' | 'ofPatient'>;
  readonly reports: Pick<ReportRepository, 'figures'>;
  readonly trail: AuditTrail;
}

/** A launch of SMART: the desk of one patient, for the clinician whom the EHR names. */
export interface LaunchedDesk {
  readonly patientId: string;
  /** What the desk shows first. */
  readonly reportId: string;
  /** What became of the wound that a link named. */
  readonly wished: 'none' | 'shown' | 'other-patient' | 'unknown' | 'without-report';
}

/** Until the EHR's people have to open the desk from the chart again. */
const LIFE_MIN = 12 * 60;
/** An unattended desk ends after this: nobody is asked whether the person still is at the EHR. */
const IDLE_MIN = 15;

/** Opens the review desk for the patient whose chart is open at the EHR. */
export class LaunchOpening {
  constructor(
    private readonly ports: LaunchOpeningPorts,
    private readonly patients: LaunchedPatients,
    private readonly links: ReviewLinks,
  ) {}

  /**
   * A link that the browser opens at once. Each launch is a row of the trail. `launch.unknown` where the registration has no
   * launch; `launch.state` where it is changed meanwhile; `launch.patient_unknown`, `launch.patient_unclear`, `launch.no_report`.
   */
  async open(ehr: Ehr, context: LaunchContext, origin: RequestOrigin): Promise<IssuedReviewLink> {
    const { launch } = ehr;
    if (launch === null) throw new SuturaError('launch.unknown');
    const desk = await this.ports.unitOfWork.inTenant(ehr, (transaction) => this.deskOf(transaction, ehr, context));
    const made = await this.links.makeForEhr(ehr, {
      ...context,
      ...desk,
      mode: launch.people,
      minutes: LIFE_MIN,
      idleMinutes: IDLE_MIN,
    });
    await this.ports.trail.recordNow(callerOf(ehr, context.person.id, origin), {
      door: 'ehr',
      interaction: '$launch',
      action: 'R',
      patients: [desk.patientId],
      resources: [`Patient/${desk.patientId}`],
      query: wordsOf(launch.people, context, desk),
    });
    return made;
  }

  private async deskOf(
    transaction: TenantTransaction,
    ehr: Ehr,
    { patient, appContext }: LaunchContext,
  ): Promise<LaunchedDesk> {
    const patientId = await this.patients.find(transaction, ehr, patient);
    const roots = (await this.ports.wounds.ofPatient(transaction, patientId)).filter(
      ({ mergedInto }) => mergedInto === null,
    );
    const newest: { readonly woundId: string; readonly reportId: string; readonly capturedAt: string }[] = [];
    for (const { id: woundId } of roots) {
      const reports = await this.ports.reports.figures(transaction, woundId);
      // As a rule the last one: those that stand are ordered by their photos.
      const last = reports.filter(({ status }) => status !== 'entered-in-error').at(-1);
      if (last !== undefined) newest.push({ woundId, reportId: last.id, capturedAt: last.content.capturedAt });
    }
    const first = newest.toSorted((one, other) => other.capturedAt.localeCompare(one.capturedAt))[0];
    if (first === undefined) throw new SuturaError('launch.no_report');
    if (appContext === null) return { patientId, reportId: first.reportId, wished: 'none' };
    const wished = await this.ports.wounds.find(transaction, appContext);
    if (wished === null) return { patientId, reportId: first.reportId, wished: 'unknown' };
    const root = await this.ports.wounds.rootOf(transaction, wished.id);
    // Whoever made the link meant somebody else's wound: this patient's chart is open, and nothing of the other is shown.
    if (root.patientId !== patientId) return { patientId, reportId: first.reportId, wished: 'other-patient' };
    const shown = newest.find(({ woundId }) => woundId === root.id);
    return shown === undefined
      ? { patientId, reportId: first.reportId, wished: 'without-report' }
      : { patientId, reportId: shown.reportId, wished: 'shown' };
  }
}

/** Who acts: the EHR by its registration, in the name of its clinician. */
function callerOf(
  { id, organizationId, environment }: Pick<Ehr, 'id' | 'organizationId' | 'environment'>,
  person: string,
  origin: RequestOrigin,
): Caller {
  return { organizationId, environment, keyId: id, scopes: [], person, origin };
}

const WISHED: Readonly<Record<LaunchedDesk['wished'], string>> = {
  none: '',
  shown: '; one wound',
  'other-patient': "; appContext named another patient's wound, which was not shown",
  unknown: '; appContext named no wound of this organization',
  'without-report': '; appContext named a wound without a report',
};

function wordsOf(people: string, { encounter }: LaunchContext, { wished }: LaunchedDesk): string {
  return `launch ${people}${encounter === null ? '' : `; ${encounter}`}${WISHED[wished]}`;
}
