/** Fields whose codes a listener may map to ours. */
export const MAPPED_FIELDS = ['PID-8', 'OBR-4', 'OBX-3', 'OBX-11', 'ORC-1', 'PR1-3'] as const;
export type MappedField = (typeof MAPPED_FIELDS)[number];

/** Our codes by those of the sender, `code` or `code^system`, whatever their case. */
export type CodeMaps = Readonly<Record<MappedField, Readonly<Record<string, string>>>>;

export const NO_CODE_MAPS: CodeMaps = { 'PID-8': {}, 'OBR-4': {}, 'OBX-3': {}, 'OBX-11': {}, 'ORC-1': {}, 'PR1-3': {} };
