import type { PhotoView } from '../analysis/photo-view.js';
import type { PictureRenderer } from '../analysis/picture-renderer.js';
import { imageFolder } from '../images/image.js';
import type { ObjectStore } from '../images/object-store.js';
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
import type { ReportRepository } from './report.repository.js';

export interface ReportPicturePorts {
  readonly unitOfWork: UnitOfWork;
  readonly reports: ReportRepository;
  readonly store: ObjectStore;
  readonly renderer: PictureRenderer;
}

const OVERVIEW_SIDE_PX = 1600;

/** A report whose photo stands beside that of the present one. */
interface ComparedReport {
  readonly place: ComparedPlace;
  readonly report: ClinicalReport;
}

/** Draws the pictures of reports, anew each time. */
export class ReportPictureReader {
  constructor(private readonly ports: ReportPicturePorts) {}

  async of(tenant: Tenant, report: ClinicalReport): Promise<ReportPictures> {
    const draw = await this.ports.unitOfWork.inTenant(tenant, (transaction) => this.prepare(transaction, report));
    return draw();
  }

  /** Reads what the pictures are made from; they are drawn after the transaction, since that takes long. */
  async prepare(transaction: TenantTransaction, report: ClinicalReport): Promise<() => Promise<ReportPictures>> {
    const compared = await this.comparedWith(transaction, report);
    return () => this.drawAll(report, compared);
  }

  /** The whole photo of a report; null where it was deleted. */
  async overview(report: ClinicalReport): Promise<ReportPicture | null> {
    const photo = await this.ports.store.get(`${imageFolder(report.imageId)}original`);
    if (photo === null) return null;
    const [drawn] = await this.ports.renderer.draw(photo, [overviewOf(report)]);
    const capturedAt = new Date(report.content.capturedAt);
    return { imageId: report.imageId, ...drawn!, capturedAt, widthCm: null, scaleBarMm: null };
  }

  private async drawAll(report: ClinicalReport, compared: readonly ComparedReport[]): Promise<ReportPictures> {
    const overview = await this.overview(report);
    const others: ComparedPicture[] = [];
    for (const other of compared) {
      const picture = await this.overview(other.report);
      if (picture !== null) others.push({ place: other.place, picture, areaCm2: areaOf(other.report) });
    }
    const current: ComparedPicture[] =
      overview === null ? [] : [{ place: 'current', picture: overview, areaCm2: areaOf(report) }];
    return { ...NO_PICTURES, overview, compared: others.length === 0 ? [] : [...others, ...current] };
  }

  /** The first and the previous assessment, as far as there are any. */
  private async comparedWith(
    transaction: TenantTransaction,
    { content: { comparison } }: ClinicalReport,
  ): Promise<ComparedReport[]> {
    const { baseline, previous } = comparison;
    const places = [
      { place: 'first', reportId: baseline?.reportId },
      { place: 'previous', reportId: previous?.reportId },
    ] as const;
    const found: ComparedReport[] = [];
    for (const { place, reportId } of places) {
      if (reportId === undefined || (place === 'first' && reportId === previous?.reportId)) continue;
      const current = await this.ports.reports.find(transaction, reportId);
      if (current !== null) found.push({ place, report: current.report });
    }
    return found;
  }
}

/** The images that are in the pictures, each once. */
export function imagesOf({ overview, closeUp, tissueMap, compared }: ReportPictures): string[] {
  const all = [overview, closeUp, tissueMap, ...compared.map(({ picture }) => picture)];
  return [...new Set(all.flatMap((picture) => picture?.imageId ?? []))];
}

function overviewOf({ content: { findings } }: ClinicalReport): PhotoView {
  return {
    frame: null,
    mostSidePx: OVERVIEW_SIDE_PX,
    outlines: findings.outlines.map((polygon) => ({ polygon, number: null, counted: true })),
    distances: [],
    scaleBar: null,
    tissueMap: null,
  };
}

function areaOf({ content: { findings } }: ClinicalReport): number | null {
  return findings.figures?.area.cm2?.value ?? null;
}
