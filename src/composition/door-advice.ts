import type { DoorAdvice } from '../core/trace/trace.js';

/** The routes, operations and commands that a trace advises. */
export const DOOR_ADVICE: DoorAdvice = {
  orderAnalysis:
    'create a job, call $analyze, or send an order; "org set --auto-analyze on" has photos without an order analysed',
  showQuota: '"usage --org ID" shows the quota',
  checkWorkers:
    'Look whether a process with the role worker is ready (/health/ready) and at sutura_oldest_unfinished_job_seconds',
  retryJob: (jobId) => `"jobs retry --id ${jobId}" makes a new job on the same photo, at no charge`,
  reviewReport: (reportId) => `POST /api/v1/reports/${reportId}/reviews, or $attest`,
};
