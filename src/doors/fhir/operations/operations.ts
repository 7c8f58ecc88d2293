import type { Type } from '@nestjs/common';
import { AttestOperation } from './attest.operation.js';
import { AnalyzeOperation } from './analyze.operation.js';
import { DocumentOperation } from './document.operation.js';
import { EverythingOperation } from './everything.operation.js';
import { EvidenceOperation } from './evidence.operation.js';
import { ExportOperation, PatientExportOperation } from './export.operation.js';
import type { FhirOperation } from './fhir-operation.js';
import { HistoryOfWoundOperation } from './history-of-wound.operation.js';
import { LastnOperation } from './lastn.operation.js';
import { MergeOperation } from './merge.operation.js';
import { MetaAddOperation, MetaDeleteOperation, MetaOperation } from './meta.operations.js';
import { ValidateOperation } from './validate.operation.js';
import { WoundViewOperation } from './wound-view.operation.js';

/** Every operation that is always served; EraseOperation only where the installation offers it. An operation that is not listed has no route and is not in the CapabilityStatement. */
export const OPERATIONS: readonly Type<FhirOperation>[] = [
  AnalyzeOperation,
  AttestOperation,
  DocumentOperation,
  EverythingOperation,
  EvidenceOperation,
  ExportOperation,
  PatientExportOperation,
  HistoryOfWoundOperation,
  LastnOperation,
  MergeOperation,
  MetaOperation,
  MetaAddOperation,
  MetaDeleteOperation,
  ValidateOperation,
  WoundViewOperation,
];
