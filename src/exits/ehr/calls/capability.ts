import type { EhrCapabilities } from '../../../ehrs/index.js';
import type { Need } from '../dialects/filing.js';

/** Whether a repeated create of the type is harmless by `If-None-Exist`. */
export function createsOnce({ resources }: EhrCapabilities, type: string): boolean {
  return resources.some((one) => one.type === type && one.conditionalCreate);
}

/** What the server does not say that it can do, of what is needed, a sentence for each; empty: nothing. */
export function lacksOf(capabilities: EhrCapabilities, needs: readonly Need[]): readonly string[] {
  return needs.filter((need) => !hasNeed(capabilities, need)).map(wordsOf);
}

function hasNeed({ interactions, resources }: EhrCapabilities, { type, interaction }: Need): boolean {
  if (type === undefined) return interactions.includes(interaction);
  const found = resources.find((one) => one.type === type);
  if (found === undefined) return false;
  return interaction === 'conditional-create' ? found.conditionalCreate : found.interactions.includes(interaction);
}

const WORDS: Readonly<Record<Need['interaction'], string>> = {
  create: 'create',
  update: 'change',
  'search-type': 'search for',
  transaction: 'run transactions',
  'conditional-create': 'create once by If-None-Exist',
};

function wordsOf({ type, interaction }: Need): string {
  const words = WORDS[interaction];
  return `It does not say that it can ${type === undefined ? words : `${words} ${type}`}.`;
}
