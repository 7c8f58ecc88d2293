import { z } from 'zod';
import { IMAGE_CONTENT_TYPES } from '../../core/images/image.js';

export const uploadRequestSchema = z
  .strictObject({
    contentType: z.enum(IMAGE_CONTENT_TYPES, { error: `must be one of ${IMAGE_CONTENT_TYPES.join(', ')}; send HEIC photos as JPEG` }).optional().describe('Type that will be sent; part of the signature when given.'),
    contentLength: z.int().min(1).optional().describe('Bytes that will be sent; part of the signature when given.'),
    sha256: z
      .string()
      .refine((text) => /^[0-9a-fA-F]{64}$/.test(text), { error: 'must be 64 hexadecimal digits' })
      .meta({ pattern: '^[0-9a-fA-F]{64}$' })
      .optional()
      .describe('SHA-256 of the bytes in hex; other bytes are refused.'),
  })
  .meta({ id: 'UploadRequest', description: 'What is known of the photo beforehand. Every field is optional.' });

/** An absent body is the same as `{}`. */
export const uploadRequestBody = uploadRequestSchema.optional().transform((body) => body ?? {});

export type UploadRequest = z.output<typeof uploadRequestSchema>;

export const uploadTicketSchema = z
  .object({
    imageId: z.string().describe('Names the image from now on.'),
    uploadUrl: z.url().describe('Signed address for the PUT of the bytes.'),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('Headers to send with the PUT, exactly as given.'),
    expiresAt: z.iso.datetime().describe('When the address stops working.'),
    maxBytes: z.int().describe('Largest photo in bytes.'),
  })
  .meta({ id: 'UploadTicket', description: 'Where and how to upload one photo.' });

export type UploadTicketView = z.output<typeof uploadTicketSchema>;
