import { splitBatch } from '../../src/standards/hl7v2/er7/batch.js';
import { contentDigest } from '../../src/standards/hl7v2/er7/content-digest.js';
import { decodeMessage, type DecodedMessage } from '../../src/standards/hl7v2/er7/decode-message.js';
import { readEncapsulatedData, readReferencePointer } from '../../src/standards/hl7v2/er7/encapsulated-data.js';
import { parseTime } from '../../src/standards/hl7v2/er7/hl7-time.js';
import { peekHeader, readHeader } from '../../src/standards/hl7v2/er7/message-header.js';
import { mutateMessage } from './er7-mutations.js';
import { hl7Sample, hl7SampleNames } from './hl7-inbound.js';
import { Dice } from './mutations.js';
import { eachSeed } from './rounds.js';

const POSITIONS = 48;

/** How many of the messages could be read, and of how many at least the header. */
export interface ReadingCounts {
  readonly messages: number;
  readonly headersOnly: number;
  readonly nothing: number;
}

/** A sample message with things about it changed; the same seed gives the same. */
export function mutatedSample(seed: number): Buffer {
  const dice = new Dice(seed);
  return mutateMessage(hl7Sample(dice.pick(hl7SampleNames())), dice);
}

/** Asks everything that the readers offer of everything that mutated messages have. Throws for the first seed whose message makes one throw. */
export async function readMutatedMessages(seeds: readonly number[]): Promise<ReadingCounts> {
  const counts = { messages: 0, headersOnly: 0, nothing: 0 };
  await eachSeed('er7-fuzz', seeds, (seed) => {
    counts[readWholeMessage(mutatedSample(seed))] += 1;
  });
  return counts;
}

function readWholeMessage(bytes: Buffer): keyof ReadingCounts {
  const peeked = peekHeader(bytes);
  contentDigest(bytes);
  splitBatch(bytes);
  const decoded = decodeMessage(bytes, { characterSet: null });
  if ((peeked === null) !== (decoded.header === null)) throw new Error('The header is there for one reader only.');
  if (decoded.kind === 'message' && JSON.stringify(decoded.header) !== JSON.stringify(readHeader(decoded.message)))
    throw new Error('The header is not the one of the message.');
  if (decoded.kind === 'undecodable') return decoded.header === null ? 'nothing' : 'headersOnly';
  readEveryField(decoded);
  return 'messages';
}

function readEveryField({ message }: DecodedMessage): void {
  for (const segment of message.segments) {
    for (let position = 0; position < POSITIONS; position += 1) {
      const field = segment.field(position);
      parseTime(field.text, 'Europe/Berlin');
      for (const repetition of field.repetitions.slice(0, 20)) {
        for (let component = 0; component <= Math.min(repetition.componentCount, 12); component += 1)
          repetition.text(component, component % 3);
        readReferencePointer(repetition);
        readEncapsulatedData(repetition, message.delimiters);
      }
    }
  }
}
