/**
 * Expressions of R4 that do not say what their text says, as HL7's own validator replaces them (FHIRPathExpressionFixer of
 * org.hl7.fhir.validation), by key. A test holds that R4 has each of them.
 */
export const CORRECTED: ReadonlyMap<string, string> = new Map([
  // Without a value, which the element may lack, the original is neither true nor false.
  ['bdl-8', "fullUrl.empty() or fullUrl.contains('/_history/').not()"],
  ['ras-2', 'probability.empty() or (probability is decimal).not() or (probability as decimal) <= 100'],
  // The type is named as FHIRPath names it, and two conditions are more than one.
  ['que-7', "operator = 'exists' implies (answer is boolean)"],
  ['que-12', 'enableWhen.count() >= 2 implies enableBehavior.exists()'],
  // Of several values none may be one of these.
  ['tim-9', "offset.empty() or (when.exists() and when.where($this in ('C' | 'CM' | 'CD' | 'CV')).empty())"],
  // R4's own definitions bind elements of these types.
  [
    'eld-11',
    "binding.empty() or type.code.empty() or type.code.where(contains(':') or $this in ('code' | 'Coding' | 'CodeableConcept' | 'Quantity' | 'string' | 'uri' | 'Duration')).exists()",
  ],
]);
