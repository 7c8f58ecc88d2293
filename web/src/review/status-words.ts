import type { ReportStatus, ReviewDecision } from '../../../src/core/report/report-status.js';
import type { Words } from './words/en.js';

/** The state of a report in words; one that is not known here as the service names it. */
export function statusWord(status: string, words: Words): string {
  const known: Readonly<Record<ReportStatus, string>> = {
    preliminary: words.statusPreliminary,
    final: words.statusFinal,
    amended: words.statusAmended,
    corrected: words.statusCorrected,
    'entered-in-error': words.statusWithdrawn,
  };
  return wordIn(known, status);
}

export function decisionWord(decision: string, words: Words): string {
  const known: Readonly<Record<ReviewDecision, string>> = {
    accept: words.decisionAccept,
    correct: words.decisionCorrect,
    reject: words.decisionReject,
    reassign: words.decisionReassign,
  };
  return wordIn(known, decision);
}

function wordIn(known: Readonly<Partial<Record<string, string>>>, name: string): string {
  return known[name] ?? name;
}
