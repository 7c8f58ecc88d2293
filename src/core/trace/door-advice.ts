/** Where a person acts, in the words of doors and commands, which core does not know. Each is part of a sentence. */
export interface DoorAdvice {
  /** Ways to order an analysis of a photo. */
  readonly orderAnalysis: string;
  readonly showQuota: string;
  readonly checkWorkers: string;
  reviewReport(reportId: string): string;
}
