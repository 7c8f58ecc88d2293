/** What a key may do. Published names; analysis:review is for reviews, merging, closing and reopening wounds. */
export const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
