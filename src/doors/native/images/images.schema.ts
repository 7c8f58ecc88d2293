import { z } from 'zod';
import { IMAGE_CONTENT_TYPES } from '../../../core/images/image.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';

export const uploadRequestSchema = z
  .strictObject({
    contentType: z
      .enum(IMAGE_CONTENT_TYPES, {
        error: `must be one of ${IMAGE_CONTENT_TYPES.join(', ')}; send HEIC photos as JPEG`,
      })
      .optional()
      .describe('Type that will be sent; part of the signature when given.'),
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

export const imageMetadataSchema = z
  .looseObject({
    imageId: z.string(),
    status: z
      .string()
      .describe(
        'awaiting_upload or stored. Where photos go straight to an object store, stored once a job was created or a FHIR resource named the photo.',
      ),
    contentType: z
      .string()
      .nullable()
      .describe('By the bytes, whatever was announced; null until they are stored, as the others that they say.'),
    sizeBytes: z.int().min(0).nullable(),
    sha256: z.string().nullable().describe('In hex.'),
    width: z
      .int()
      .nullable()
      .describe('In pixels, after the EXIF orientation; null for a file that cannot be read, too.'),
    height: z.int().nullable(),
    readable: z.boolean().nullable().describe('false: no job can be created, 422 image.unreadable or image.damaged.'),
    unreadableReason: z
      .string()
      .nullable()
      .describe('broken, damaged, too_small, too_many_pixels, too_narrow or animated; more may come.'),
    environment: z.enum(ENVIRONMENTS),
    createdAt: z.iso.datetime().describe('When the upload address was asked for, or the photo came in a message.'),
    storedAt: z.iso.datetime().nullable(),
    uploadExpiresAt: z.iso.datetime().describe('When the upload address stops working.'),
  })
  .meta({ id: 'ImageMetadata', description: 'What the service knows of one photo, without the photo.' });

export type ImageMetadataView = z.output<typeof imageMetadataSchema>;
