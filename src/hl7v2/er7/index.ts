export * from './er7-message.js';
export { splitBatch, type Hl7Batch } from './batch.js';
export { decodeText, encodeText, findCharacterSet, type CharacterSetVerdict } from './character-set.js';
export { contentDigest } from './content-digest.js';
export {
  decodeMessage,
  decodeRegardless,
  type DecodedMessage,
  type DecodeOptions,
  type UndecodableMessage,
} from './decode-message.js';
export {
  readEncapsulatedData,
  readReferencePointer,
  type EncapsulatedData,
  type EncapsulationFault,
  type ReferencePointer,
} from './encapsulated-data.js';
export { findEncodedFiles, replacePieces, type EncodedFile } from './encoded-files.js';
export { formatTime, parseTime, type Hl7Time, type TimePrecision } from './hl7-time.js';
export { peekHeader, readHeader, type PeekedHeader } from './message-header.js';
export { HL7_LIMITS, tooManyLines } from './limits.js';
export { isAtLeastVersion, MessageWriter, type CodedValue } from './message-writer.js';
export { messageNumbers, type MessageNumbers } from './message-numbers.js';
