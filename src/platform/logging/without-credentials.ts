const ACCOUNT = /(\w+:\/\/)[^\s/@]*@/g;
const PASSWORD = /((?:password|secret|token|key)\s*[=:]\s*)[^\s&,;]+/gi;
const LONGEST = 500;

/** A warning of a library as the log may have it: without accounts in addresses, and not longer than its first sentences. */
export function withoutCredentials(text: string): string {
  return text.replace(ACCOUNT, '$1***@').replace(PASSWORD, '$1***').slice(0, LONGEST);
}
