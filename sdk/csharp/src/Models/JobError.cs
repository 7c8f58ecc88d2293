// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Why a job ended in error.</summary>
    public sealed class JobError
    {
        /// <summary>A code of docs/errors.md.</summary>
        [JsonPropertyName("code")]
        public string Code { get; set; } = null!;

        /// <summary>Detail.</summary>
        [JsonPropertyName("detail")]
        public string Detail { get; set; } = null!;

        /// <summary>true where a new job on the same photo may succeed.</summary>
        [JsonPropertyName("retryable")]
        public bool? Retryable { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "JobError";
    }
}
