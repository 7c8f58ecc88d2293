// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk.Models
{
    /// <summary>How an edge of the wound looks.</summary>
    public static class WoundEdge
    {
        /// <summary>attached</summary>
        public const string Attached = "attached";

        /// <summary>not_attached</summary>
        public const string NotAttached = "not_attached";

        /// <summary>approximated</summary>
        public const string Approximated = "approximated";

        /// <summary>distinct</summary>
        public const string Distinct = "distinct";

        /// <summary>diffuse</summary>
        public const string Diffuse = "diffuse";

        /// <summary>rolled</summary>
        public const string Rolled = "rolled";

        /// <summary>undermined</summary>
        public const string Undermined = "undermined";

        /// <summary>macerated</summary>
        public const string Macerated = "macerated";

        /// <summary>callused</summary>
        public const string Callused = "callused";

        /// <summary>fibrotic</summary>
        public const string Fibrotic = "fibrotic";
    }
}
