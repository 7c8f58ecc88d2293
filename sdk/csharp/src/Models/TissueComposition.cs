// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Shares of the wound bed; together 1.</summary>
    public sealed class TissueComposition
    {
        /// <summary>Granulation.</summary>
        [JsonPropertyName("granulation")]
        public double? Granulation { get; set; }

        /// <summary>Slough.</summary>
        [JsonPropertyName("slough")]
        public double? Slough { get; set; }

        /// <summary>By a colour rule: it feeds no flag and no score until a clinician confirms it.</summary>
        [JsonPropertyName("necrosis")]
        public double? Necrosis { get; set; }

        /// <summary>Other.</summary>
        [JsonPropertyName("other")]
        public double? Other { get; set; }

        /// <summary>Method.</summary>
        [JsonPropertyName("method")]
        public TissueCompositionMethod Method { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "TissueComposition";
    }

    /// <summary>TissueCompositionMethod.</summary>
    public sealed class TissueCompositionMethod
    {
        /// <summary>model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a review); more
        /// may come.</summary>
        [JsonPropertyName("granulation")]
        public string Granulation { get; set; } = null!;

        /// <summary>model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a review); more
        /// may come.</summary>
        [JsonPropertyName("slough")]
        public string Slough { get; set; } = null!;

        /// <summary>model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a review); more
        /// may come.</summary>
        [JsonPropertyName("necrosis")]
        public string Necrosis { get; set; } = null!;

        /// <summary>model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a review); more
        /// may come.</summary>
        [JsonPropertyName("other")]
        public string Other { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "TissueCompositionMethod";
    }
}
