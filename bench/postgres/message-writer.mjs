const FIRST_BYTES = 64 * 1024;
const INT32 = 4;

/**
 * Messages of PostgreSQL's protocol (version 3.0), as node-postgres sends them for a statement: a simple query, or Parse where the connection
 * does not have it prepared, Bind, Describe, Execute and Sync. All that leaves together is one piece of memory.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  /** @param series what fills the slots: `valueOf(slot)`, `momentOf(afterMs)` */
  statement({ text, name = '', simple, values }, series, isPrepared) {
    if (simple) return this.#message('Q', () => this.#text(text, series, true));
    if (!isPrepared)
      this.#message('P', () => {
        this.#terminated(name);
        this.#text(text, series, true);
        this.#int16(0);
      });
    this.#message('B', () => {
      this.#terminated('');
      this.#terminated(name);
      this.#int16(0);
      this.#int16(values.length);
      for (const value of values) this.#value(value, series);
      this.#int16(0);
    });
    this.#message('D', () => this.#terminated('P'));
    this.#message('E', () => {
      this.#terminated('');
      this.#int32(0);
    });
    this.#message('S', () => undefined);
  }

  /** What was written since the last time. */
  take() {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #message(kind, content) {
    this.#room(1 + INT32);
    this.#bytes[this.#at] = kind.charCodeAt(0);
    this.#counted(1, INT32, content);
  }

  #value(pieces, series) {
    this.#room(INT32);
    if (pieces === null) this.#int32(-1);
    else this.#counted(0, 0, () => this.#text(pieces, series, false));
  }

  /** Its length in bytes goes before the content. */
  #counted(skip, itself, content) {
    const place = this.#at + skip;
    this.#at = place + INT32;
    content();
    this.#bytes.writeInt32BE(this.#at - place - INT32 + itself, place);
  }

  #text(pieces, series, isTerminated) {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) this.#copy(piece);
      else if (typeof piece === 'string') this.#copy(Buffer.from(piece));
      else this.#latin(piece.slot === undefined ? series.momentOf(piece.afterMs) : series.valueOf(piece.slot));
    }
    if (isTerminated) this.#byte(0);
  }

  #terminated(text) {
    this.#latin(text);
    this.#byte(0);
  }

  #copy(bytes) {
    this.#room(bytes.length);
    bytes.copy(this.#bytes, this.#at);
    this.#at += bytes.length;
  }

  #latin(text) {
    this.#room(text.length);
    this.#at += this.#bytes.latin1Write(text, this.#at);
  }

  #byte(value) {
    this.#room(1);
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  #int16(value) {
    this.#room(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  #int32(value) {
    this.#room(INT32);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  #room(bytes) {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#at + bytes) * 2);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
