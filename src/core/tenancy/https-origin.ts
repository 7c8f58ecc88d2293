const LONGEST_ORIGIN = 260;

/** True for an https origin exactly as a browser names it: `https://ehr.example.org`, `https://ehr.example.org:8443`. */
export function isHttpsOrigin(text: string): boolean {
  // Such a list comes into headers: nothing but the letters of a host may stand in it.
  if (text.length > LONGEST_ORIGIN || !/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text)) return false;
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}
