import type { Provider, Type } from '@nestjs/common';

export const HL7_OPERATOR_CONTROLLERS: Type[] = [];
export const HL7_OPERATOR_PROVIDERS: Provider[] = [];
