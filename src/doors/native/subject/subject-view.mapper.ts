import type { Wound } from '../../../core/followup/wound.js';

/** A numbering as this door names it: null for the organization's own. */
export function toSystemView(system: string): string | null {
  return system === '' ? null : system;
}

export function toPatientView(patient: Wound['patient']): { id: string; system: string | null } | null {
  return patient === null ? null : { id: patient.value, system: toSystemView(patient.system) };
}
