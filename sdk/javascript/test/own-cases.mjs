export const ownCases = [];
