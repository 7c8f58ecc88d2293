/** Who is there, and whose chart is open. Results are filed by a client of their own. */
const ALWAYS = ['launch', 'openid', 'fhirUser'] as const;
const V2 = ['patient/Patient.r', 'patient/Encounter.rs'] as const;
/** For servers of SMART App Launch 1, which know no permission-v2. */
const V1 = ['patient/Patient.read', 'patient/Encounter.read'] as const;

/** The scopes that a launch asks for: those of the registration, else what the desk needs, in the version that the server knows. */
export function scopesOf(registered: readonly string[] | null, capabilities: readonly string[]): string {
  const asked = registered ?? [...ALWAYS, ...(capabilities.includes('permission-v2') ? V2 : V1)];
  return [...new Set(asked)].join(' ');
}
