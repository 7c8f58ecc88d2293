/** Signs who this service is, with its published keys (RFC 7523). The composition binds it. */
export abstract class PushAssertions {
  /** A fresh assertion for the client at this token endpoint. */
  abstract sign(clientId: string, tokenUrl: string): Promise<string>;
}
