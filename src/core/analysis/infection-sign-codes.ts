/**
 * Signs of infection that a clinician looks for one by one: those of the IWGDF (diabetic foot, 2023), of NERDS and STONEES (Woo and Sibbald 2009), and
 * of a spreading or systemic infection (IWII 2022). src/core/followup/infection-signs.ts has the sets.
 */
export const INFECTION_SIGNS = [
  'warmth',
  'erythema',
  'spreading_erythema',
  'swelling',
  'purulent_exudate',
  'increased_exudate',
  'increased_pain',
  'odour',
  'friable_granulation',
  'debris',
  'enlarging',
  'new_breakdown',
  'probes_to_bone',
  'delayed_healing',
  'fever',
  'lymphangitis',
] as const;
export type InfectionSign = (typeof INFECTION_SIGNS)[number];

/** `absent`: somebody looked, and it was not there. What nobody looked for is not stated at all. */
export const SIGN_STATUSES = ['present', 'absent'] as const;
export type SignStatus = (typeof SIGN_STATUSES)[number];

/** One sign that a clinician looked for. */
export interface StatedSign {
  readonly sign: InfectionSign;
  readonly status: SignStatus;
}

/** Each sign once, in the order of first mention; of two statements that contradict each other the one that says `present` stands. */
export function withoutContradictions(stated: readonly StatedSign[]): StatedSign[] {
  const bySign = new Map<InfectionSign, SignStatus>();
  for (const { sign, status } of stated) if (bySign.get(sign) !== 'present') bySign.set(sign, status);
  return [...bySign].map(([sign, status]) => ({ sign, status }));
}
