import { buildAcknowledgment, newAcknowledgmentId } from '../../src/hl7v2/ack/index.js';
import { contentDigest, decodeMessage, encodeText, parseTime, peekHeader, readEncapsulatedData, readReferencePointer, splitBatch, type DecodedMessage } from '../../src/hl7v2/er7/index.js';
import { readAcknowledgment } from '../../src/hl7v2/mllp/index.js';
import { mutateMessage } from './er7-mutations.js';
import { hl7Sample, hl7SampleNames, hl7SourceOf, judgeHl7 } from './hl7-inbound.js';
import { Dice } from './mutations.js';

const SOURCE = hl7SourceOf();
const PRINTABLE = /^[!-~]+$/;

export interface FuzzResult {
  /** How many messages ended with each MSA-1; `none`: no usable MSH, so that nothing can be answered. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Rounds whose seed did what must not happen. */
  readonly faults: readonly string[];
}

/** Mutated sample messages through decoding, every field, mapping and acknowledging, as the door does it. */
export async function fuzzMessages(rounds: number, seed: number): Promise<FuzzResult> {
  const samples = hl7SampleNames().map((name) => hl7Sample(name));
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  for (let round = seed; round < seed + rounds; round += 1) {
    const dice = new Dice(round);
    const message = mutateMessage(dice.pick(samples), dice);
    try {
      const outcome = await answerOf(message);
      outcomes[outcome.code] = (outcomes[outcome.code] ?? 0) + 1;
      if (outcome.fault !== null) faults.push(`seed ${round}: ${outcome.fault}`);
    } catch (fault) {
      faults.push(`seed ${round}: ${(fault as Error).stack}`);
    }
  }
  return { outcomes, faults };
}

/** What a message is answered with, and what is wrong with that. */
async function answerOf(bytes: Buffer): Promise<{ readonly code: string; readonly answer: Buffer | null; readonly fault: string | null }> {
  readWholeMessage(bytes);
  const decoded = decodeMessage(bytes, { characterSet: null });
  const header = decoded.header;
  if (header === null) return { code: 'none', answer: null, fault: null };
  const { code, problems } = await judgeHl7(bytes, SOURCE);
  const request = { header, message: decoded.kind === 'message' ? decoded.message : null };
  const text = buildAcknowledgment(request, { code, problems, controlId: newAcknowledgmentId(), sentAt: new Date(0), timeZone: 'Europe/Berlin', isEnhanced: false, orders: null });
  const answer = encodeText(text, header.characterSet);
  const read = readAcknowledgment(answer);
  if (read === null) return { code, answer, fault: 'the acknowledgment cannot be read' };
  if (PRINTABLE.test(header.controlId) && read.controlId !== header.controlId) return { code, answer, fault: 'the acknowledgment is for another message' };
  if (/[\x0b\x1c]/.test(text)) return { code, answer, fault: 'the acknowledgment ends its frame' };
  return { code, answer, fault: null };
}

/** The answer that goes back over the wire; null: none can be given. */
export async function wireAnswerOf(bytes: Uint8Array): Promise<Buffer | null> {
  return (await answerOf(Buffer.from(bytes))).answer;
}

/** Everything that the readers offer, asked of everything that a message has. */
function readWholeMessage(bytes: Buffer): void {
  peekHeader(bytes);
  contentDigest(bytes);
  splitBatch(bytes);
  const decoded = decodeMessage(bytes, { characterSet: null });
  if (decoded.kind === 'message') readEveryField(decoded);
}

function readEveryField({ message }: DecodedMessage): void {
  for (const segment of message.segments) {
    for (let position = 0; position < 48; position += 1) {
      const field = segment.field(position);
      parseTime(field.text, 'Europe/Berlin');
      for (const repetition of field.repetitions.slice(0, 20)) {
        for (let component = 0; component <= Math.min(repetition.componentCount, 12); component += 1) repetition.text(component, component % 3);
        readReferencePointer(repetition);
        readEncapsulatedData(repetition, message.delimiters);
      }
    }
  }
}
