/** Makes key texts. */
export abstract class KeyMint {
  abstract mint(environment: 'test' | 'live'): {
    readonly text: string;
    readonly sha256: Uint8Array;
    readonly prefix: string;
    readonly lastFour: string;
  };
}
