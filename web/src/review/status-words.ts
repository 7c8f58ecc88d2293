import type { Words } from './words/en.js';

/** The state of a report in words; one that is not known here as the service names it. */
export function statusWord(status: string, words: Words): string {
  const known: Readonly<Record<string, string>> = {
    preliminary: words.statusPreliminary,
    final: words.statusFinal,
    amended: words.statusAmended,
    'entered-in-error': words.statusWithdrawn,
  };
  return known[status] ?? status;
}

export function decisionWord(decision: string, words: Words): string {
  const known: Readonly<Record<string, string>> = {
    accept: words.decisionAccept,
    correct: words.decisionCorrect,
    reject: words.decisionReject,
    reassign: words.decisionReassign,
  };
  return known[decision] ?? decision;
}
