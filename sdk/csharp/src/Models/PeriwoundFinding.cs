// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk.Models
{
    /// <summary>How the skin around the wound looks.</summary>
    public static class PeriwoundFinding
    {
        /// <summary>intact</summary>
        public const string Intact = "intact";

        /// <summary>macerated</summary>
        public const string Macerated = "macerated";

        /// <summary>erythema</summary>
        public const string Erythema = "erythema";

        /// <summary>oedema</summary>
        public const string Oedema = "oedema";

        /// <summary>induration</summary>
        public const string Induration = "induration";

        /// <summary>warm</summary>
        public const string Warm = "warm";

        /// <summary>dry</summary>
        public const string Dry = "dry";

        /// <summary>scaly</summary>
        public const string Scaly = "scaly";

        /// <summary>callus</summary>
        public const string Callus = "callus";

        /// <summary>excoriated</summary>
        public const string Excoriated = "excoriated";

        /// <summary>fragile</summary>
        public const string Fragile = "fragile";

        /// <summary>blistered</summary>
        public const string Blistered = "blistered";
    }
}
