export function tableOf(collection: object): string;
