/** The path of everything about tokens, below the public address. */
export const TOKENS_PATH = '/auth';
export const TOKEN_ENDPOINT = `${TOKENS_PATH}/token`;

/** The address that clients ask, and that their assertions are for. */
export function tokenAddressOf(publicUrl: string): string {
  return `${publicUrl}${TOKEN_ENDPOINT}`;
}
