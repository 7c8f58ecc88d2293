import { createHash } from 'node:crypto';
import type { ModelUsed } from '../../core/measurement/wound-result.js';
import { code } from './codes.js';

/*
 * HL7's guide "AI Transparency on FHIR", ballot 2026Jan. Later builds of it rename AImodelCardCS and its codes:
 * docs/decisions/0041-model-cards-over-fhir.md.
 */
const GUIDE = 'http://hl7.org/fhir/uv/aitransparency';

/** Extensions of Device. */
export const MODEL_CARD_EXTENSION = `${GUIDE}/StructureDefinition/aitransparency.modelCardDescription`;
export const AI_KIND_EXTENSION = `${GUIDE}/StructureDefinition/aitransparency.AIKind`;

const DEVICE_TYPE = code(`${GUIDE}/CodeSystem/AIdeviceTypeCS`);
export const ARTIFICIAL_INTELLIGENCE = DEVICE_TYPE('Artificial-Intelligence', 'All kinds of Artificial Intelligence');
export const DEEP_LEARNING = DEVICE_TYPE('Deep-Learning-Models', 'Deep Learning Models');
const CARD = code(`${GUIDE}/CodeSystem/AImodelCardCS`);
export const MODEL_CARD = CARD('AIModelCard', 'AI Model-Card');
/** The ballot's profile demands it as a category of every card. */
export const INPUT_PROMPT = CARD('AIInputPrompt', 'AI Input Prompt');
export const MARKDOWN_FORMAT = CARD('AImodelCardMarkdownFormat', 'Markdown Format');

const CARD_SUFFIX = '-model-card';

/** `DocumentReference` with the card of these weights, the same id for every organization. It has the form of the server's ids, which no client gives. */
export function modelCardId({ name, version, sha256 }: Pick<ModelUsed, 'name' | 'version' | 'sha256'>): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([name, version, sha256]))
    .digest('hex');
  const [first, second, third, fourth, last] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => hex.slice(from, to));
  return `${first}-${second}-7${third}-8${fourth}-${last}${CARD_SUFFIX}`;
}

/** True for an id that `modelCardId` gave: no other document has one of this form. */
export function isModelCardId(id: string): boolean {
  return id.endsWith(CARD_SUFFIX);
}
