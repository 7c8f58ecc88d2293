/** The name of a parameter as it is written in a query, taken apart. */
export type ParameterKey =
  | { readonly form: 'plain'; readonly name: string; readonly modifier: string | null }
  /** `patient.identifier`, `subject:Patient.name:exact` */
  | { readonly form: 'chain'; readonly name: string; readonly targetType: string | null; readonly rest: string }
  /** `_has:Observation:patient:code` */
  | { readonly form: 'has'; readonly type: string; readonly reference: string; readonly rest: string }
  | { readonly form: 'malformed' };

const HAS = /^_has:(\w+):([\w-]+):(.+)$/;
const CHAIN = /^([\w-]+)(?::([A-Z]\w+))?\.(.+)$/;
const PLAIN = /^([\w-]+)(?::([\w-]+))?$/;

export function parseKey(key: string): ParameterKey {
  const has = HAS.exec(key);
  if (has !== null) return { form: 'has', type: has[1]!, reference: has[2]!, rest: has[3]! };
  const chain = CHAIN.exec(key);
  if (chain !== null) return { form: 'chain', name: chain[1]!, targetType: chain[2] ?? null, rest: chain[3]! };
  const plain = PLAIN.exec(key);
  return plain === null ? { form: 'malformed' } : { form: 'plain', name: plain[1]!, modifier: plain[2] ?? null };
}
