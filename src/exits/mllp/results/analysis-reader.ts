import { Injectable } from '@nestjs/common';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { ImageRepository } from '../../../core/images/image.repository.js';
import type { ImageRecord } from '../../../core/images/image.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { OrderReader, type AnalysisOrder } from './order-reader.js';

/** The analysis that a report is of: its order, patient, photo and end. */
export interface AnalysisFacts extends AnalysisOrder {
  readonly patientId: string | null;
  readonly analysedAt: Date | null;
  /** null where the photo was deleted. */
  readonly image: ImageRecord | null;
}

/** Reads what is known of a report's analysis beside the report itself. */
@Injectable()
export class AnalysisReader {
  constructor(
    private readonly wounds: WoundRepository,
    private readonly jobs: JobRepository,
    private readonly images: ImageRepository,
    private readonly orders: OrderReader,
  ) {}

  async of(transaction: TenantTransaction, { jobId, imageId, content }: ClinicalReport): Promise<AnalysisFacts> {
    const wound = await this.wounds.find(transaction, content.subject.woundRef);
    const job = await this.jobs.find(transaction, jobId);
    const image = await this.images.find(transaction, imageId);
    return {
      ...(await this.orders.orderOf(transaction, jobId)),
      patientId: wound?.patientId ?? null,
      analysedAt: job?.completedAt ?? null,
      image: image?.status === 'stored' ? image : null,
    };
  }
}
