import type { Provider } from '@nestjs/common';
import { AnalysisTasks } from './analysis-tasks.js';
import { AttachedPhoto } from './attached-photo.js';
import { BinaryContent } from '../interactions/binary-content.js';
import { ClinicalFindings } from './clinical-findings.js';
import { KeptBytes } from './kept-bytes.js';
import { OrderMatching } from './order-matching.js';
import { PhotoSubject } from './photo-subject.js';
import { ReportBytes } from './report-bytes.js';
import { StoredBinaryContent } from './stored-binary-content.js';
import { AnalysisRequestBuilder } from './analysis-request.builder.js';
import { WoundRecords } from './wound-records.js';

export { INTAKES } from './intakes.js';

/** What the intakes stand on; the intakes themselves are listed in intakes.ts. Besides them the module provides PhotoRecords (FhirPhotoModule), the store and ReportsModule; OrdersModule is global. */
export const INTAKE_PROVIDERS: Provider[] = [
  AnalysisTasks,
  AttachedPhoto,
  ClinicalFindings,
  KeptBytes,
  OrderMatching,
  PhotoSubject,
  ReportBytes,
  AnalysisRequestBuilder,
  WoundRecords,
  { provide: BinaryContent, useClass: StoredBinaryContent },
];
