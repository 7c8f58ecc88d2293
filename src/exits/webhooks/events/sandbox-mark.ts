/** The outcome that was asked for, where one was: receivers of a test environment tell it from one that came by itself. */
export function sandboxOf({ sandbox }: { readonly sandbox?: string | undefined }): { readonly sandbox?: string } {
  return sandbox === undefined ? {} : { sandbox };
}
