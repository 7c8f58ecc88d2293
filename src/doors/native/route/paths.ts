import { modelCardId } from '../../../reports/index.js';

/** A path as callers see it: below that of `publicUrl`, where a reverse proxy puts the service below one. */
export const seenPath = (publicUrl: string, path: string): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}${path}`;

/** Paths of this door's resources, as in Location headers and links. */
export const jobPath = (jobId: string): string => `/api/v1/analysis/jobs/${jobId}`;
export const woundPath = (woundId: string): string => `/api/v1/wounds/${woundId}`;
export const samplePath = (name: string): string => `/api/v1/samples/${name}`;
export const reportPath = (reportId: string): string => `/api/v1/reports/${reportId}`;

/** The card of a model, which the FHIR door serves. */
export const modelCardPath = (model: Parameters<typeof modelCardId>[0]): string =>
  `/fhir/R4/DocumentReference/${modelCardId(model)}`;
