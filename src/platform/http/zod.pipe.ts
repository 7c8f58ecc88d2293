import { Body, Query, type PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { parseInput, type InputPlace } from './parse-input.js';

/** Checks an input against its schema; see `parseInput`. */
class ZodPipe implements PipeTransform {
  constructor(
    private readonly schema: z.ZodType,
    private readonly place: InputPlace,
  ) {}

  transform(value: unknown): unknown {
    return parseInput(this.schema, value, this.place);
  }
}

/** The JSON body as the schema types it. */
export const JsonBody = (schema: z.ZodType): ParameterDecorator => Body(new ZodPipe(schema, ''));

/** The query as the schema types it. Every value is text, or a list if a name is repeated. */
export const QueryInput = (schema: z.ZodType): ParameterDecorator => Query(new ZodPipe(schema, '/query'));
