// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk.Models
{
    /// <summary>A sign of infection that a clinician looks for.</summary>
    public static class InfectionSign
    {
        /// <summary>warmth</summary>
        public const string Warmth = "warmth";

        /// <summary>erythema</summary>
        public const string Erythema = "erythema";

        /// <summary>spreading_erythema</summary>
        public const string SpreadingErythema = "spreading_erythema";

        /// <summary>swelling</summary>
        public const string Swelling = "swelling";

        /// <summary>purulent_exudate</summary>
        public const string PurulentExudate = "purulent_exudate";

        /// <summary>increased_exudate</summary>
        public const string IncreasedExudate = "increased_exudate";

        /// <summary>increased_pain</summary>
        public const string IncreasedPain = "increased_pain";

        /// <summary>odour</summary>
        public const string Odour = "odour";

        /// <summary>friable_granulation</summary>
        public const string FriableGranulation = "friable_granulation";

        /// <summary>debris</summary>
        public const string Debris = "debris";

        /// <summary>enlarging</summary>
        public const string Enlarging = "enlarging";

        /// <summary>new_breakdown</summary>
        public const string NewBreakdown = "new_breakdown";

        /// <summary>probes_to_bone</summary>
        public const string ProbesToBone = "probes_to_bone";

        /// <summary>delayed_healing</summary>
        public const string DelayedHealing = "delayed_healing";

        /// <summary>fever</summary>
        public const string Fever = "fever";

        /// <summary>lymphangitis</summary>
        public const string Lymphangitis = "lymphangitis";
    }
}
