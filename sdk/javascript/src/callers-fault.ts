/** A fault on the caller's side of a request, such as a full disk: given back as it is, and never taken for one of the network. */
export class CallersFault {
  constructor(readonly reason: unknown) {}
}
