/** Bits of look-ahead of the table of short codes; nearly every symbol has one of these. */
const FAST_BITS = 9;
const LONGEST_CODE = 16;
const NO_SYMBOL = -1;

/** A Huffman table of a JPEG (ITU-T T.81, annex C): symbols by their code. */
export class JpegHuffmanTable {
  /** By the next 9 bits: length × 256 + symbol; 0 where the code is longer. */
  readonly fast = new Uint16Array(1 << FAST_BITS);
  /** By length: the largest code, -1 where there is none; and what is added to a code for its place among the symbols. */
  readonly largest = new Int32Array(LONGEST_CODE + 2).fill(-1);
  readonly offset = new Int32Array(LONGEST_CODE + 2);

  /**
   * @param counts how many codes there are of 1 to 16 bits
   * @param symbols in the order of their codes
   */
  constructor(
    counts: Uint8Array,
    readonly symbols: Uint8Array,
  ) {
    let code = 0;
    let at = 0;
    for (let length = 1; length <= LONGEST_CODE; length += 1) {
      const count = counts[length - 1]!;
      this.offset[length] = at - code;
      for (let one = 0; one < count; one += 1, code += 1, at += 1) this.addFast(code, length, symbols[at] ?? 0);
      if (count > 0) this.largest[length] = code - 1;
      code <<= 1;
    }
  }

  private addFast(code: number, length: number, symbol: number): void {
    if (length > FAST_BITS) return;
    const spare = FAST_BITS - length;
    this.fast.fill((length << 8) | symbol, code << spare, (code + 1) << spare);
  }
}

/**
 * The entropy-coded bits of a JPEG's scan (T.81, F.2.2.5): stuffed bytes are undone, and they end before a marker. Reading beyond that end,
 * or a code that no symbol has, sets `isBroken`, and zeros follow.
 */
export class JpegBits {
  isBroken = false;
  private kept = 0;
  private keptBits = 0;

  /** @param at where the bits begin */
  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** So many bits, 0 to 16, as an unsigned number. */
  take(count: number): number {
    if (count === 0) return 0;
    if (this.keptBits < count && !this.fill(count)) return 0;
    this.keptBits -= count;
    return (this.kept >>> this.keptBits) & ((1 << count) - 1);
  }

  /** A signed value of so many bits (T.81, F.2.2.1, EXTEND). */
  takeSigned(count: number): number {
    const value = this.take(count);
    return count > 0 && value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
  }

  /** The next symbol of a table. */
  symbol(table: JpegHuffmanTable): number {
    if (this.keptBits < LONGEST_CODE) this.fillUp();
    if (this.keptBits >= FAST_BITS) {
      const found = table.fast[(this.kept >>> (this.keptBits - FAST_BITS)) & ((1 << FAST_BITS) - 1)]!;
      if (found !== 0) {
        this.keptBits -= found >>> 8;
        return found & 0xff;
      }
    }
    return this.longSymbol(table);
  }

  /**
   * Where the next marker is, once the bits of a scan or interval have been read: what is left of the last byte is padding, as are bytes of
   * zeros or ones. Other bytes before the marker are bits that nothing needed: `isBroken`.
   */
  end(): number {
    const unread = this.keptBits >> 3;
    const spare = this.keptBits & 7;
    const padding = (this.kept >>> (unread << 3)) & ((1 << spare) - 1);
    // Ones, by the standard; zeros, by some encoders.
    if (padding !== 0 && padding !== (1 << spare) - 1) this.isBroken = true;
    let at = this.at;
    // The whole bytes among the kept bits were read ahead; each of them has to be padding.
    for (let back = unread - 1; back >= 0; back -= 1) this.pad((this.kept >>> (back << 3)) & 0xff);
    for (; at < this.bytes.length && !this.isMarkerAt(at); at += 1) {
      const byte = this.bytes[at]!;
      if (byte === 0xff && this.bytes[at + 1] === 0) at += 1;
      this.pad(byte);
    }
    return at;
  }

  private pad(byte: number): void {
    if (byte !== 0 && byte !== 0xff) this.isBroken = true;
  }

  private longSymbol(table: JpegHuffmanTable): number {
    let code = 0;
    for (let length = 1; length <= LONGEST_CODE; length += 1) {
      code = (code << 1) | this.take(1);
      if (this.isBroken) return 0;
      if (code <= table.largest[length]!) return table.symbols[code + table.offset[length]!] ?? this.broken();
    }
    return this.broken();
  }

  private broken(): number {
    this.isBroken = true;
    return 0;
  }

  private fill(count: number): boolean {
    this.fillUp();
    if (this.keptBits < count) this.isBroken = true;
    return this.keptBits >= count;
  }

  private fillUp(): void {
    while (this.keptBits <= 16) {
      const byte = this.nextByte();
      if (byte === NO_SYMBOL) return;
      this.kept = ((this.kept << 8) | byte) & 0xffffff;
      this.keptBits += 8;
    }
  }

  private nextByte(): number {
    if (this.at >= this.bytes.length || this.isMarkerAt(this.at)) return NO_SYMBOL;
    const byte = this.bytes[this.at]!;
    this.at += byte === 0xff ? 2 : 1;
    return byte;
  }

  /** A byte of ones is data where a zero is stuffed behind it, and else begins a marker, perhaps after more of them. */
  private isMarkerAt(at: number): boolean {
    return this.bytes[at] === 0xff && this.bytes[at + 1] !== 0;
  }
}
