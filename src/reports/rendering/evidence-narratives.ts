import type { WoundEvidence } from '../../core/report/wound-evidence.js';
import { toNarrative } from '../html/narrative.js';
import { speak } from '../wording/wording.js';
import type { Language } from '../wording/language.js';
import { evidenceParts, type EvidencePart } from '../documents/evidence-document.js';
import { penOf, timeZoneOf } from '../documents/report-document.js';

/** A part of the evidence for a FHIR document: its title, and its text as XHTML. */
export interface EvidenceNarrative {
  readonly title: string;
  readonly div: string;
}

/** The same words as on paper. */
export function evidenceNarratives(
  evidence: WoundEvidence,
  language: Language,
): Readonly<Record<EvidencePart, EvidenceNarrative>> {
  const parts = evidenceParts(penOf(language, timeZoneOf(evidence)), evidence);
  const told = (part: EvidencePart) => ({ title: parts[part].heading, div: toNarrative(parts[part]) });
  return {
    overPeriod: told('overPeriod'),
    missing: told('missing'),
    assessments: told('assessments'),
    treatment: told('treatment'),
    reports: told('reports'),
  };
}

/** What such a document, and its part with the photos, is called. */
export function evidenceTitles(language: Language): { readonly document: string; readonly photos: string } {
  const say = speak(language);
  return { document: say('title.evidence'), photos: say('section.photos') };
}
