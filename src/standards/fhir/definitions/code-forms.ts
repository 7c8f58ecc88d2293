/** FHIR's own short names stand among the MIME types in CapabilityStatement.format. */
const MIME_TYPE = /^(json|xml|ttl)$|^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.+-]+=("[^"]*"|[\w.+-]+))*$/;
const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Codes of systems that are not listed in R4, by their form. */
export const CODE_FORMS: ReadonlyMap<string, (code: string) => boolean> = new Map([
  ['urn:ietf:bcp:13', (code) => MIME_TYPE.test(code)],
  ['urn:ietf:bcp:47', isLanguageTag],
]);

/** Well-formed, and of a language that Unicode's CLDR knows; `x-…` and tags with `mul` or `und` among them. */
function isLanguageTag(tag: string): boolean {
  if (/^x(-[A-Za-z\d]{1,8})+$/i.test(tag)) return true;
  const primary = tag.split('-')[0]!;
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && LANGUAGES.of(primary) !== undefined;
  } catch {
    return false;
  }
}
