import type { Provider } from '@nestjs/common';
import { AnalysisTasks } from './analysis-tasks.js';
import { AttachedPhoto } from './attached-photo.js';
import { BinaryContent } from '../interactions/binary-content.js';
import { ClinicalFindings } from './clinical-findings.js';
import { KeptBytes } from './kept-bytes.js';
import { OrderDesk } from './order-desk.js';
import { PhotoSubject } from './photo-subject.js';
import { ReportBytes } from './report-bytes.js';
import { StandardBinaryContent } from './standard-binary-content.js';
import { WishMaker } from './wish-maker.js';
import { WoundRecords } from './wound-records.js';

export { INTAKES } from './intakes.js';

/** What the intakes stand on; the intakes themselves are listed in intakes.ts. Besides them the module provides PhotoRecords (FhirPhotoModule), the store and ReportsModule; OrdersModule is global. */
export const INTAKE_PROVIDERS: Provider[] = [
  AnalysisTasks,
  AttachedPhoto,
  ClinicalFindings,
  KeptBytes,
  OrderDesk,
  PhotoSubject,
  ReportBytes,
  WishMaker,
  WoundRecords,
  { provide: BinaryContent, useClass: StandardBinaryContent },
];
