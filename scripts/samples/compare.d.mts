interface Seen {
  readonly samples: readonly { readonly name: string; readonly seen: object }[];
  readonly series: readonly { readonly name: string; readonly seen: object }[];
}
export function differencesOf(kept: Seen, seen: Seen): string[];
