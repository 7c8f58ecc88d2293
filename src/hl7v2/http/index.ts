import type { Provider, Type } from '@nestjs/common';
import { Hl7DoorSetup } from './hl7-http-setup.js';
import { Hl7Controller } from './hl7.controller.js';

/** POST /hl7v2. */
export const HL7_HTTP_CONTROLLERS: Type[] = [Hl7Controller];
export const HL7_HTTP_PROVIDERS: Provider[] = [Hl7DoorSetup];
