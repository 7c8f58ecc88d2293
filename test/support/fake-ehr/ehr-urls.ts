/** The addresses of one EHR. */
export interface EhrUrls {
  readonly fhirBaseUrl: string;
  readonly issuer: string;
  readonly authorize: string;
  readonly token: string;
  readonly jwks: string;
}

/** FHIR below one origin; authorization, tokens and keys below another, which may be the same. */
export function urlsOf(origin: string, authorizationOrigin: string): EhrUrls {
  const issuer = `${authorizationOrigin}/oauth2`;
  return {
    fhirBaseUrl: `${origin}/fhir`,
    issuer,
    authorize: `${issuer}/authorize`,
    token: `${issuer}/token`,
    jwks: `${issuer}/jwks`,
  };
}
