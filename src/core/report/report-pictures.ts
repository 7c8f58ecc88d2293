import { artifactKey } from '../analysis/artifact.service.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { DrawnPicture, PhotoView } from '../analysis/photo-view.js';
import type { PictureRenderer } from '../analysis/picture-renderer.js';
import { originalKey } from '../images/image.js';
import { intactBytes, type ObjectStore } from '../images/object-store.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import {
  NO_PICTURES,
  type ClinicalReport,
  type ComparedPicture,
  type ComparedPlace,
  type ReportPicture,
  type ReportPictures,
} from './clinical-report.js';
import {
  closeUpOf,
  comparedViewsOf,
  overviewOf,
  plainViewOf,
  planPhoto,
  widthCmOf,
  type PlannedPhoto,
} from './picture-views.js';
import type { ReportRepository } from './report.repository.js';

export interface ReportPicturePorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: JobRepository;
  readonly reports: ReportRepository;
  readonly store: ObjectStore;
  readonly renderer: PictureRenderer;
}

/** A report whose photo is drawn. */
interface ShownReport {
  readonly place: ComparedPlace;
  readonly report: ClinicalReport;
  readonly plan: PlannedPhoto;
}

interface StoredReport extends ShownReport {
  readonly photo: Uint8Array;
}

/** Those of the report's own photo alone. */
type OwnViews = Readonly<Record<'overview' | 'closeUp' | 'tissueMap', PhotoView | null>>;
const NO_VIEWS: OwnViews = { overview: null, closeUp: null, tissueMap: null };

/** Draws the pictures of reports, anew each time. */
export class ReportPictureReader {
  constructor(private readonly ports: ReportPicturePorts) {}

  async of(tenant: Tenant, report: ClinicalReport): Promise<ReportPictures> {
    const draw = await this.ports.unitOfWork.inTenant(tenant, (transaction) => this.prepare(transaction, report));
    return draw();
  }

  /** Reads what the pictures are made from; they are drawn after the transaction, since that takes long. */
  async prepare(transaction: TenantTransaction, report: ClinicalReport): Promise<() => Promise<ReportPictures>> {
    const job = await this.ports.jobs.find(transaction, report.jobId);
    const earlier = await this.comparedWith(transaction, report);
    return () => this.drawAll(show('current', report, job?.result ?? null), earlier);
  }

  /** The wound at several assessments in squares of as many centimetres, where their photos have a scale; null where a photo was deleted. One photo is in memory at a time. */
  async sideBySide(reports: readonly ClinicalReport[]): Promise<(ReportPicture | null)[]> {
    const shown = reports.map((report) => show('current', report, null));
    const views = comparedViewsOf(shown.map(({ plan }) => plan));
    const pictures: (ReportPicture | null)[] = [];
    for (const [index, one] of shown.entries()) {
      const [stored] = await this.withPhotos([one]);
      const drawn = stored === undefined ? null : await this.draw(stored, { compared: views[index] ?? null });
      pictures.push(drawn?.compared ?? null);
    }
    return pictures;
  }

  /** The whole photo without lines or numbers, optionally with the tissue filled in; null: there is none. */
  async plain(report: ClinicalReport, withTissue: boolean): Promise<DrawnPicture | null> {
    const photo = await intactBytes(this.ports.store, originalKey(report.imageId));
    const key = artifactKey({ id: report.jobId, imageId: report.imageId }, 'tissue');
    const tissueMap = withTissue ? await intactBytes(this.ports.store, key) : null;
    if (photo === null || (withTissue && tissueMap === null)) return null;
    const [drawn] = await this.ports.renderer.draw(photo, [plainViewOf(show('current', report, null).plan, tissueMap)]);
    return drawn ?? null;
  }

  private async drawAll(current: ShownReport, earlier: readonly ShownReport[]): Promise<ReportPictures> {
    const stored = await this.withPhotos([...earlier, current]);
    // One photo is compared with nothing.
    const views = stored.length < 2 ? [] : comparedViewsOf(stored.map(({ plan }) => plan));
    const compared: ComparedPicture[] = [];
    let own: Omit<ReportPictures, 'compared'> = NO_PICTURES;
    for (const [index, one] of stored.entries()) {
      const isCurrent = one.place === 'current';
      const ownViews = isCurrent ? await this.ownViewsOf(one) : NO_VIEWS;
      const drawn = await this.draw(one, { ...ownViews, compared: views[index] ?? null });
      if (isCurrent) own = drawn;
      if (drawn.compared !== null) compared.push({ place: one.place, picture: drawn.compared, ...areaOf(one.report) });
    }
    return { overview: own.overview, closeUp: own.closeUp, tissueMap: own.tissueMap, compared };
  }

  private async ownViewsOf({ report, plan }: ShownReport): Promise<OwnViews> {
    const { tissue, confirmedTissues } = report.content.findings;
    // What a person stated of the tissue is not where the map has it.
    const tissueMap =
      tissue === null || confirmedTissues.length > 0
        ? null
        : await intactBytes(this.ports.store, artifactKey({ id: report.jobId, imageId: report.imageId }, 'tissue'));
    return {
      overview: overviewOf(plan),
      closeUp: closeUpOf(plan, null),
      tissueMap: tissueMap === null ? null : closeUpOf(plan, tissueMap),
    };
  }

  /** Every view of one photo, which is decoded once for all of them. */
  private async draw<Name extends string>(
    { report, photo }: StoredReport,
    views: Readonly<Record<Name, PhotoView | null>>,
  ): Promise<Record<Name, ReportPicture | null>> {
    const wanted = Object.values<PhotoView | null>(views).filter((view) => view !== null);
    const drawn = await this.ports.renderer.draw(photo, wanted);
    const pictureOf = (view: PhotoView | null) =>
      view === null ? null : toPicture(report, view, drawn[wanted.indexOf(view)]!);
    const pictures = Object.entries<PhotoView | null>(views).map(([name, view]) => [name, pictureOf(view)]);
    return Object.fromEntries(pictures) as Record<Name, ReportPicture | null>;
  }

  /** Those whose photo was not deleted, lost or changed. */
  private async withPhotos(reports: readonly ShownReport[]): Promise<StoredReport[]> {
    const stored: StoredReport[] = [];
    for (const one of reports) {
      const photo = await intactBytes(this.ports.store, originalKey(one.report.imageId));
      if (photo !== null) stored.push({ ...one, photo });
    }
    return stored;
  }

  /** The first assessment, and the one that the report is compared with, else the one before. */
  private async comparedWith(
    transaction: TenantTransaction,
    { content: { comparison } }: ClinicalReport,
  ): Promise<ShownReport[]> {
    // No one photo shows the areas of several wounds.
    const [previous, first] = [comparison.previous, comparison.baseline].map((point) =>
      point?.sumOf === undefined ? point : null,
    );
    const previousId = (previous ?? comparison.previousAssessment)?.reportId;
    const firstId = first?.reportId;
    const places = [
      { place: 'first', reportId: firstId === previousId ? undefined : firstId },
      { place: 'previous', reportId: previousId },
    ] as const;
    const found: ShownReport[] = [];
    for (const { place, reportId } of places) {
      const current = reportId === undefined ? null : await this.ports.reports.find(transaction, reportId);
      if (current !== null) found.push(show(place, current.report, null));
    }
    return found;
  }
}

/** The images that are in the pictures, each once. */
export function imagesOf({ overview, closeUp, tissueMap, compared }: ReportPictures): string[] {
  const all = [overview, closeUp, tissueMap, ...compared.map(({ picture }) => picture)];
  return [...new Set(all.flatMap((picture) => picture?.imageId ?? []))];
}

function show(place: ComparedPlace, report: ClinicalReport, result: WoundResult | null): ShownReport {
  return { place, report, plan: planPhoto(report.content.findings, result) };
}

function toPicture({ imageId, content }: ClinicalReport, view: PhotoView, drawn: DrawnPicture): ReportPicture {
  return {
    imageId,
    ...drawn,
    capturedAt: new Date(content.capturedAt),
    capturedAsStated: content.capturedAsStated,
    widthCm: widthCmOf(view),
    scaleBarMm: view.scaleBar?.mm ?? null,
  };
}

function areaOf({ content: { findings } }: ClinicalReport): Pick<ComparedPicture, 'areaCm2' | 'areaBounds'> {
  const area = findings.figures?.area.cm2;
  return area ? { areaCm2: area.value, areaBounds: { lower: area.lower, upper: area.upper } } : { areaCm2: null };
}
