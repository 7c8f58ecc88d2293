/** Paths of this door's resources, as in Location headers and links. */
export const jobPath = (jobId: string): string => `/api/v1/analysis/jobs/${jobId}`;
export const woundPath = (woundId: string): string => `/api/v1/wounds/${woundId}`;
export const reportPath = (reportId: string): string => `/api/v1/reports/${reportId}`;
