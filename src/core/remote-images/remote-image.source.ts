/** Gets photos from addresses that a message named. */
export abstract class RemoteImageSource {
  /** `fhir.url_refused` unless the address is https, of one of the hosts (`host` or `host:port`), and without credentials. Without network access. */
  abstract check(url: string, hosts: readonly string[]): void;
  /**
   * The bytes behind the address. `fhir.url_refused` as `check`, also for what it redirects to, and where a name stands for an address inside;
   * `image.too_large`; `image.unavailable` where the host says that there is no such photo for us (401, 403, 404, 410); any other error may go by itself.
   */
  abstract fetch(url: string, hosts: readonly string[], maxBytes: number): Promise<Uint8Array>;
}
