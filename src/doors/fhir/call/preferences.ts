/** Preferences of a caller about the answer (`Prefer`, RFC 7240; R4 http.html 3.1.0.7). An unknown preference is ignored. */
export interface Preferences {
  /** null: not stated. A create, update or patch then answers with the resource, a Bundle without. */
  readonly return: 'minimal' | 'representation' | 'OperationOutcome' | null;
  /** `handling=strict`: a search parameter that is not supported is refused rather than left out. */
  readonly strict: boolean;
  /** `handling=lenient`: what is not supported is left out where it is refused otherwise. */
  readonly lenient: boolean;
  readonly respondAsync: boolean;
}

export const NO_PREFERENCES: Preferences = { return: null, strict: false, lenient: false, respondAsync: false };
