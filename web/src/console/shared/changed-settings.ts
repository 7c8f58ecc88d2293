type Settings = Readonly<Record<string, unknown>>;

/** What the text says; the words of the mistake where it is no JSON object. */
export function readSettings(text: string): Settings | string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Settings;
    return 'Settings are an object: { "name": value, … }.';
  } catch (fault) {
    return `This is no JSON: ${(fault as Error).message}.`;
  }
}

/** The merge patch (RFC 7396) that makes `after` of `before`: what changed, and null for what was taken out. */
export function changedSettings(before: Settings, after: Settings): Settings {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}
