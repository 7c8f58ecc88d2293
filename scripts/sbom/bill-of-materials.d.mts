export function billOfMaterials(
  root: string,
  of: {
    readonly createdS: number;
    readonly revision: string;
    readonly image?: {
      readonly nodeVersion: string;
      readonly architecture: string;
      readonly debianPackages: readonly string[];
    };
  },
): Promise<object>;
